import type { Database } from '#libs/database/sql.js';
import { AppError } from '#libs/contract/errors.js';
import type { Job, JobListQuery } from '#libs/contract/jobs.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { toJob, toJobWithPartial } from './job-response.js';
import type { QueuePositions } from './queue-positions.js';

/** Reads a user's jobs. What belongs to somebody else is not found. */
export class JobReader {
  constructor(
    private readonly dataSource: Database,
    private readonly positions: QueuePositions,
    private readonly publicUrl = '',
  ) {}

  /** @throws AppError NOT_FOUND */
  async get(userId: string, jobId: string): Promise<Job> {
    return this.show(await this.find(userId, jobId));
  }

  /** The job as one answer carries it, with the text so far and its position. */
  async show(job: JobEntity): Promise<Job> {
    return toJobWithPartial(job, await this.positions.of(job), this.publicUrl);
  }

  /** @throws AppError NOT_FOUND */
  async find(userId: string, jobId: string): Promise<JobEntity> {
    const job = await this.dataSource.getRepository(JobEntity).findOneBy({ id: jobId, userId });
    if (!job) throw new AppError('NOT_FOUND', 'There is no such job.');
    return job;
  }

  /** The user's jobs, newest first. @throws AppError VALIDATION_FAILED for a cursor that is not ours */
  async list(userId: string, query: JobListQuery): Promise<{ jobs: Job[]; nextCursor: string | null }> {
    const { status, tool, cursor, limit } = query;
    const select = this.dataSource
      .getRepository(JobEntity)
      .createQueryBuilder('job')
      .where({ userId, ...(status && { status }), ...(tool && { tool }) })
      .orderBy({ 'job.createdAt': 'DESC', 'job.id': 'DESC' })
      .limit(limit + 1);
    if (cursor !== undefined)
      select.andWhere('(job.createdAt, job.id) < (:time::timestamptz, :id::uuid)', decodeCursor(cursor));
    const found = await select.getMany();
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const waiting = page.some((job) => job.status === 'queued') ? await this.positions.ofUsers([userId]) : [];
    const positions = new Map(waiting.map((position) => [position.id, position]));
    return {
      jobs: page.map((job) => toJob(job, positions.get(job.id), this.publicUrl)),
      nextCursor: found.length > page.length && last ? encodeCursor(last.createdAt, last.id) : null,
    };
  }
}
