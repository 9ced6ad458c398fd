import { In, MoreThanOrEqual } from 'typeorm';
import { z } from 'zod';
import { AppError } from '#libs/contract/errors.js';
import type { Job, JobListQuery } from '#libs/contract/jobs.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { pageOfNext } from '#libs/database/page.js';
import { queryRows, type Database } from '#libs/database/sql.js';
import { withConversation } from './conversation.js';
import { isResultDeleted, toJob, toJobWithPartial, withUrls } from './job-response.js';
import { readPreview } from './job-transitions.js';
import type { QueuePositions } from '#libs/scheduling/queue-positions.js';

const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC';

/** Jobs with which an event stream begins. */
const STATE_MAX_JOBS = 200;

/** Reads jobs of one user. Jobs of other users throw NOT_FOUND. */
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

  /** The job with its partial text and queue position, as the API returns it. */
  async show(job: JobEntity): Promise<Job> {
    const shown = await withConversation(this.dataSource, job);
    return toJobWithPartial(shown, await this.positions.of(job), this.publicUrl);
  }

  /**
   * The result of a job that succeeded.
   * @throws AppError RESULT_DELETED
   */
  async result(job: JobEntity): Promise<Record<string, unknown>> {
    if (isResultDeleted(job)) {
      throw new AppError(
        'RESULT_DELETED',
        'You deleted what this request made. Send it again, with a new Idempotency-Key if it has one.',
      );
    }
    return withUrls((await withConversation(this.dataSource, job)).result ?? {}, this.publicUrl);
  }

  /** @throws AppError NOT_FOUND */
  async find(userId: string, jobId: string): Promise<JobEntity> {
    const job = await this.dataSource.getRepository(JobEntity).findOneBy({ id: jobId, userId });
    if (!job) throw new AppError('NOT_FOUND', 'There is no such job.');
    return job;
  }

  /** Newest preview of a running job, as WebP. Null if there is none. @throws AppError NOT_FOUND */
  async preview(userId: string, jobId: string): Promise<Buffer | null> {
    const [preview] = await readPreview(this.dataSource, userId, jobId);
    if (!preview) await this.find(userId, jobId);
    return preview?.image ?? null;
  }

  /** The user's unfinished jobs, and those that ended at `since` or later; the newest {@link STATE_MAX_JOBS} of each. */
  async unfinishedOrEndedSince(userId: string, since: Date | null): Promise<Job[]> {
    const rows = this.dataSource.getRepository(JobEntity);
    const newest = { order: { createdAt: 'DESC', id: 'DESC' }, take: STATE_MAX_JOBS } as const;
    const unfinished = await rows.find({ where: { userId, status: In(['queued', 'running']) }, ...newest });
    const ended = since
      ? await rows.find({ where: { userId, finishedAt: MoreThanOrEqual(since) }, ...newest })
      : [];
    return this.showListed(userId, [...ended, ...unfinished]);
  }

  /** The user's jobs, newest first. @throws AppError VALIDATION_FAILED if the cursor is invalid */
  async list(userId: string, query: JobListQuery): Promise<{ jobs: Job[]; nextCursor: string | null }> {
    const { status, tool, batches, cursor, limit } = query;
    const after = cursor === undefined ? null : decodeCursor(cursor);
    const next = await queryRows(
      this.dataSource,
      z.object({ id: z.string(), fits: z.boolean() }),
      // Limits a page by the total size of its rows' large columns, not only by their number.
      `WITH next AS (
         SELECT id, created_at,
           octet_length(coalesce(result::text, '')) + octet_length(coalesce(input::text, '')) + octet_length(partial) AS bytes
         FROM jobs
         WHERE user_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR tool = $3)
           AND ($7::boolean OR batch_id IS NULL)
           AND ($4::timestamptz IS NULL OR (created_at, id) < ($4, $5::uuid))
         ${NEWEST_FIRST} LIMIT $6::integer + 1
       ), ${pageOfNext(NEWEST_FIRST, '$6')}
       SELECT id, fits FROM page ${NEWEST_FIRST}`,
      [
        userId,
        status ?? null,
        tool ?? null,
        after?.time ?? null,
        after?.id ?? null,
        limit,
        batches !== 'without',
      ],
    );
    const ids = next.filter(({ fits }) => fits).map(({ id }) => id);
    const page = await this.dataSource
      .getRepository(JobEntity)
      .find({ where: { id: In(ids), userId }, order: { createdAt: 'DESC', id: 'DESC' } });
    const last = page.at(-1);
    return {
      jobs: await this.showListed(userId, page),
      nextCursor: next.length > ids.length && last ? encodeCursor(last.createdAt, last.id) : null,
    };
  }

  /** Jobs of one user with their queue positions, without their partial texts. */
  private async showListed(userId: string, jobs: JobEntity[]): Promise<Job[]> {
    const waiting = jobs.some((job) => job.status === 'queued') ? await this.positions.ofUsers([userId]) : [];
    const positions = new Map(waiting.map((position) => [position.id, position]));
    return jobs.map((job) => toJob(job, positions.get(job.id), this.publicUrl));
  }
}
