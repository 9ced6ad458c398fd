import type { DataSource } from 'typeorm';
import { AppError } from '#libs/contract/errors.js';
import type { Job, JobListQuery } from '#libs/contract/jobs.js';
import { row, rows } from '#libs/database/sql.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { toJob, toJobWithPartial, type JobRow } from './job-row.js';
import type { QueuePositions } from './queue-positions.js';

/** Reads a user's jobs. What belongs to somebody else is not found. */
export class JobReader {
  constructor(
    private readonly dataSource: DataSource,
    private readonly places: QueuePositions,
    private readonly publicUrl = '',
  ) {}

  /** @throws AppError NOT_FOUND */
  async get(userId: string, jobId: string): Promise<Job> {
    return this.show(await this.row(userId, jobId));
  }

  /** The job as one answer carries it, with the text so far and its place. */
  async show(job: JobRow): Promise<Job> {
    return toJobWithPartial(job, await this.places.of(job), this.publicUrl);
  }

  /** @throws AppError NOT_FOUND */
  async row(userId: string, jobId: string): Promise<JobRow> {
    const job = await row<JobRow>(this.dataSource, `SELECT * FROM jobs WHERE id = $1 AND user_id = $2`, [
      jobId,
      userId,
    ]);
    if (!job) throw new AppError('NOT_FOUND', 'There is no such job.');
    return job;
  }

  /** The user's jobs, newest first. @throws AppError VALIDATION_FAILED for a cursor that is not ours */
  async list(userId: string, query: JobListQuery): Promise<{ jobs: Job[]; nextCursor: string | null }> {
    const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
    const found = await rows<JobRow>(
      this.dataSource,
      `SELECT * FROM jobs
       WHERE user_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR tool = $3)
         AND ($4::timestamptz IS NULL OR (created_at, id) < ($4, $5::uuid))
       ORDER BY created_at DESC, id DESC LIMIT $6`,
      [
        userId,
        query.status ?? null,
        query.tool ?? null,
        after?.time ?? null,
        after?.id ?? null,
        query.limit + 1,
      ],
    );
    const page = found.slice(0, query.limit);
    const last = page.at(-1);
    const waiting = page.some((job) => job.status === 'queued') ? await this.places.ofUsers([userId]) : [];
    const places = new Map(waiting.map((place) => [place.id, place]));
    return {
      jobs: page.map((job) => toJob(job, places.get(job.id), this.publicUrl)),
      nextCursor: found.length > page.length && last ? encodeCursor(last.created_at, last.id) : null,
    };
  }
}
