import { In } from 'typeorm';
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

/** Jobs in each of the two lists with which an event stream begins: unfinished and ended ones. */
const STATE_MAX_JOBS = 200;
/** Bytes of the results of the ended jobs: a quarter of what a stream may have unsent. */
const STATE_MAX_BYTES = 2 ** 20;

const RESULT_BYTES = `octet_length(coalesce(result::text, ''))`;
const ROW_BYTES = `${RESULT_BYTES} + octet_length(coalesce(input::text, '')) + octet_length(partial)`;

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

  /**
   * The user's unfinished jobs, and those that ended at `since` or later; the newest of each, at most {@link STATE_MAX_JOBS}
   * with results of {@link STATE_MAX_BYTES}.
   */
  async unfinishedOrEndedSince(userId: string, since: Date | null): Promise<Job[]> {
    const newest = (condition: string, ...values: unknown[]) =>
      this.newest(userId, condition, values, STATE_MAX_JOBS, {
        bytes: RESULT_BYTES,
        atMost: STATE_MAX_BYTES,
      });
    const unfinished = await newest(`status IN ('queued', 'running')`);
    const ended = since ? await newest('finished_at >= $3', since) : { rows: [] };
    return this.showListed(userId, [...ended.rows, ...unfinished.rows]);
  }

  /** The user's jobs, newest first. @throws AppError VALIDATION_FAILED if the cursor is invalid */
  async list(userId: string, query: JobListQuery): Promise<{ jobs: Job[]; nextCursor: string | null }> {
    const { status, tool, batches, cursor, limit } = query;
    const after = cursor === undefined ? null : decodeCursor(cursor);
    const { rows, hasMore } = await this.newest(
      userId,
      `($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR tool = $4) AND ($7::boolean OR batch_id IS NULL)
       AND ($5::timestamptz IS NULL OR (created_at, id) < ($5, $6::uuid))`,
      [status ?? null, tool ?? null, after?.time ?? null, after?.id ?? null, batches !== 'without'],
      limit,
    );
    const last = rows.at(-1);
    return {
      jobs: await this.showListed(userId, rows),
      nextCursor: hasMore && last ? encodeCursor(last.createdAt, last.id) : null,
    };
  }

  /**
   * The user's newest jobs. Their `bytes` are `atMost` in total, except for the last job.
   * @param condition SQL, with `values` from `$3` on
   * @param bytes SQL of the bytes of a job
   */
  private async newest(
    userId: string,
    condition: string,
    values: unknown[],
    limit: number,
    { bytes, atMost }: { bytes: string; atMost?: number } = { bytes: ROW_BYTES },
  ): Promise<{ rows: JobEntity[]; hasMore: boolean }> {
    const next = await queryRows(
      this.dataSource,
      z.object({ id: z.string(), fits: z.boolean() }),
      `WITH next AS (
         SELECT id, created_at, ${bytes} AS bytes
         FROM jobs
         WHERE user_id = $1 AND ${condition}
         ${NEWEST_FIRST} LIMIT $2::integer + 1
       ), ${pageOfNext(NEWEST_FIRST, '$2', atMost)}
       SELECT id, fits FROM page ${NEWEST_FIRST}`,
      [userId, limit, ...values],
    );
    const ids = next.filter(({ fits }) => fits).map(({ id }) => id);
    const rows = await this.dataSource
      .getRepository(JobEntity)
      .find({ where: { id: In(ids), userId }, order: { createdAt: 'DESC', id: 'DESC' } });
    return { rows, hasMore: next.length > ids.length };
  }

  /** Jobs of one user with their queue positions, without their partial texts. */
  private async showListed(userId: string, jobs: JobEntity[]): Promise<Job[]> {
    const waiting = jobs.some((job) => job.status === 'queued') ? await this.positions.ofUsers([userId]) : [];
    const positions = new Map(waiting.map((position) => [position.id, position]));
    return jobs.map((job) => toJob(job, positions.get(job.id), this.publicUrl));
  }
}
