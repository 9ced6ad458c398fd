import { randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { AppError, type ErrorCode } from '#libs/contract/errors.js';
import type { Progress } from '#libs/contract/jobs.js';
import { row, rows, type Database } from '#libs/database/sql.js';
import type { LiveEvents } from '#libs/events/live-events.js';
import { creditsRefunded, jobSeconds, jobWaitSeconds } from '#libs/observability/metrics.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import type { StoredFile } from '#libs/contract/files.js';
import type { JobEvents } from './job-events.js';
import { refund } from './credits.js';
import type { JobRow } from './job-row.js';

/** One attempt of one job: what every write of a worker must still match, so that a late worker changes nothing. */
export interface Attempt {
  jobId: string;
  attempt: number;
}

/** What a look at a queue entry found. */
export type Claim =
  | { kind: 'claimed'; job: JobRow }
  /** Another worker holds the job, or its pause is not over; look again at this time (ms since 1970). */
  | { kind: 'later'; at: number }
  /** The job has ended, or its row is gone. */
  | { kind: 'over' };

export interface Outcome {
  result: Record<string, unknown> & { engine: string };
  creation: {
    type: string;
    prompt: string;
    content: string;
    files?: { image: StoredFile; thumbnail: StoredFile };
    published?: boolean;
  } | null;
  /** Part of the same transaction; the fields it gives replace those of `result`. */
  commit?: (transaction: EntityManager) => Promise<Record<string, unknown>>;
}

export interface Failure {
  code: ErrorCode;
  message: string;
}

export interface LifecycleDeps {
  dataSource: DataSource;
  queue: JobQueue;
  live: LiveEvents;
  jobEvents: JobEvents;
  onError: (error: Error) => void;
}

/**
 * Every change of a job's status after its submission. Each is one conditional statement or one transaction, right
 * whatever happens at the same time, and is announced after its commit.
 */
export class JobLifecycle {
  constructor(private readonly deps: LifecycleDeps) {}

  /** Starts an attempt, unless another is alive. A running job is taken over only when its lease has run out. */
  async claim(jobId: string, leaseSeconds: number): Promise<Claim> {
    const { dataSource, jobEvents } = this.deps;
    const job = await row<JobRow>(
      dataSource,
      `UPDATE jobs SET status = 'running', attempts = attempts + 1,
         lost_attempts = lost_attempts + CASE status WHEN 'running' THEN 1 ELSE 0 END,
         lease_until = now() + make_interval(secs => $2), run_after = NULL,
         started_at = coalesce(started_at, now()), partial = '',
         stage = 'starting', stage_message = 'Starting', percent = 0, revision = revision + 1
       WHERE id = $1 AND (
         (status = 'queued' AND (run_after IS NULL OR run_after <= now()))
         OR (status = 'running' AND lease_until < now()))
         AND NOT EXISTS (SELECT FROM paused_queues WHERE queue = jobs.queue)
       RETURNING *`,
      [jobId, leaseSeconds],
    );
    if (job) {
      if (job.attempts === 1) observeWait(job);
      void jobEvents.jobChanged(job);
      return { kind: 'claimed', job };
    }
    const held = await row<{ until: Date | null }>(
      dataSource,
      `SELECT coalesce(lease_until, run_after,
         (SELECT now() + interval '2 seconds' FROM paused_queues WHERE queue = jobs.queue)) AS until
       FROM jobs WHERE id = $1 AND status IN ('queued', 'running')`,
      [jobId],
    );
    if (!held) return { kind: 'over' };
    return { kind: 'later', at: Math.max(held.until?.getTime() ?? 0, Date.now()) + 250 };
  }

  /**
   * Keeps the attempt alive and stores where it stands. With `progress` the job's revision grows and users hear of it.
   * It does not wait for the disk: a crash of PostgreSQL may lose the last moment of it, which harms nothing.
   * @returns false when the attempt is no longer the job's own: cancelled, ended, or taken over.
   */
  async renew(
    { jobId, attempt }: Attempt,
    leaseSeconds: number,
    change: { progress?: Progress; partial?: string },
  ): Promise<boolean> {
    const { progress, partial } = change;
    const job = await row<JobRow>(
      this.deps.dataSource,
      `UPDATE jobs SET lease_until = now() + make_interval(secs => $3),
         partial = coalesce($4, partial), percent = coalesce($5, percent),
         stage = coalesce($6, stage), stage_message = coalesce($7, stage_message),
         revision = revision + $8
       FROM (SELECT set_config('synchronous_commit', 'off', true)) AS unsynced
       WHERE id = $1 AND attempts = $2 AND status = 'running' RETURNING jobs.*`,
      [
        jobId,
        attempt,
        leaseSeconds,
        partial ?? null,
        progress?.percent ?? null,
        progress?.stage ?? null,
        progress?.message ?? null,
        progress ? 1 : 0,
      ],
    );
    if (job && progress) void this.deps.jobEvents.jobChanged(job);
    return job !== undefined;
  }

  /**
   * Ends the attempt with its creation and whatever else its tool stores, in one transaction.
   * @returns false when the attempt is no longer the job's own: nothing was stored then.
   */
  async succeed({ jobId, attempt }: Attempt, { result, creation, commit }: Outcome): Promise<boolean> {
    const { dataSource } = this.deps;
    const end = (database: Database) => storeOutcome(database, { jobId, attempt }, { result, creation });
    const { files } = creation ?? {};
    // One statement is a transaction by itself.
    const job =
      files || commit
        ? await dataSource.transaction(async (transaction) => {
            const ended = await end(transaction);
            if (ended && files) await handOverFiles(transaction, ended, files);
            return ended && commit ? completeResult(transaction, ended, await commit(transaction)) : ended;
          })
        : await end(dataSource);
    if (job) observeEnd(job);
    if (job) void this.deps.jobEvents.jobChanged(job);
    return job !== undefined;
  }

  /** Ends the attempt for good and gives its credits back, in one transaction. */
  async fail({ jobId, attempt }: Attempt, { code, message }: Failure): Promise<boolean> {
    return this.endWithRefund(
      `UPDATE jobs SET status = 'failed', error_code = $3, error_message = $4, lease_until = NULL,
         stage = 'failed', stage_message = 'Failed', finished_at = now(), revision = revision + 1
       WHERE id = $1 AND attempts = $2 AND status = 'running' RETURNING *`,
      [jobId, attempt, code, message],
    );
  }

  /**
   * Puts the job back for a while: after a failure that may pass, or since what it needs is away (`isFailure` false).
   * False when the attempt is no longer the job's own.
   */
  async pause(
    { jobId, attempt }: Attempt,
    { delayMs, message, isFailure }: { delayMs: number; message: string; isFailure: boolean },
  ): Promise<boolean> {
    return this.putBack(
      `UPDATE jobs SET status = 'queued', failures = failures + $5, lease_until = NULL,
         run_after = now() + make_interval(secs => $3), stage = 'waiting', stage_message = $4, percent = 0,
         revision = revision + 1
       WHERE id = $1 AND attempts = $2 AND status = 'running' RETURNING *`,
      [jobId, attempt, delayMs / 1000, message, isFailure ? 1 : 0],
    );
  }

  /** Gives a job back unfinished, as a worker does that is told to stop. It counts as no failure. */
  async handBack({ jobId, attempt }: Attempt): Promise<boolean> {
    return this.putBack(
      `UPDATE jobs SET status = 'queued', lease_until = NULL, stage = 'queued',
         stage_message = 'Waiting for its turn', percent = 0, revision = revision + 1
       WHERE id = $1 AND attempts = $2 AND status = 'running' RETURNING *`,
      [jobId, attempt],
    );
  }

  /**
   * Cancels a user's job: one that waits never starts, one that runs is aborted by its worker. Its credits are given
   * back. Cancelling a cancelled job again is no error.
   * @throws AppError NOT_FOUND, JOB_NOT_CANCELLABLE
   */
  async cancel(userId: string, jobId: string): Promise<JobRow> {
    const { dataSource, live, queue, onError } = this.deps;
    const cancelled = await this.endWithRefund(
      `UPDATE jobs SET status = 'cancelled', lease_until = NULL, stage = 'cancelled', stage_message = 'Cancelled',
         finished_at = now(), revision = revision + 1
       WHERE id = $1 AND user_id = $2 AND status IN ('queued', 'running') RETURNING *`,
      [jobId, userId],
    );
    const job = await row<JobRow>(dataSource, `SELECT * FROM jobs WHERE id = $1 AND user_id = $2`, [
      jobId,
      userId,
    ]);
    if (!job) throw new AppError('NOT_FOUND', 'There is no such job.');
    if (cancelled) {
      live.publish('job:cancelled', jobId);
      queue.remove(job.queue, jobId).catch(onError);
    } else if (job.status !== 'cancelled') {
      throw new AppError('JOB_NOT_CANCELLABLE', 'This job has already ended.');
    }
    return job;
  }

  /** Cancels a job that no worker has begun, as {@link cancel} does. False when it is not waiting any more. */
  async cancelWaiting(userId: string, jobId: string): Promise<boolean> {
    const cancelled = await this.endWithRefund(
      `UPDATE jobs SET status = 'cancelled', stage = 'cancelled', stage_message = 'Cancelled',
         finished_at = now(), revision = revision + 1
       WHERE id = $1 AND user_id = $2 AND status = 'queued' RETURNING *`,
      [jobId, userId],
    );
    return cancelled;
  }

  private async endWithRefund(update: string, parameters: unknown[]): Promise<boolean> {
    const { dataSource, jobEvents } = this.deps;
    const ended = await dataSource.transaction(async (transaction) => {
      const job = await row<JobRow>(transaction, update, parameters);
      return job && { job: await giveBack(transaction, job), refunded: job.credits };
    });
    if (!ended) return false;
    observeEnd(ended.job);
    void jobEvents.jobChanged(ended.job);
    if (ended.refunded === 0) return true;
    creditsRefunded.inc({ tool: ended.job.tool }, ended.refunded);
    void jobEvents.accountChanged(ended.job.user_id);
    return true;
  }

  private async putBack(update: string, parameters: unknown[]): Promise<boolean> {
    const job = await row<JobRow>(this.deps.dataSource, update, parameters);
    if (job) void this.deps.jobEvents.jobChanged(job);
    return job !== undefined;
  }
}

const secondsBetween = (from: Date, to: Date | null) =>
  ((to ?? new Date()).getTime() - from.getTime()) / 1000;

function observeWait({ queue, priority, created_at, started_at }: JobRow): void {
  jobWaitSeconds.observe({ queue, priority }, secondsBetween(created_at, started_at));
}

function observeEnd({ tool, status, created_at, finished_at }: JobRow): void {
  jobSeconds.observe({ tool, outcome: status }, secondsBetween(created_at, finished_at));
}

/** Ends the job and stores its creation; undefined, and nothing stored, when the attempt is no longer its own. */
function storeOutcome(
  database: Database,
  { jobId, attempt }: Attempt,
  { result, creation }: Pick<Outcome, 'result' | 'creation'>,
): Promise<JobRow | undefined> {
  const creationId = creation ? randomUUID() : undefined;
  const end = `UPDATE jobs SET status = 'succeeded', result = $3, partial = '', percent = 100, stage = 'done',
      stage_message = 'Done', lease_until = NULL, finished_at = now(), revision = revision + 1
    WHERE id = $1 AND attempts = $2 AND status = 'running' RETURNING *`;
  const parameters = [jobId, attempt, JSON.stringify({ ...result, creationId })];
  if (!creation) return row<JobRow>(database, end, parameters);
  const { type, prompt, content, published = false } = creation;
  return row<JobRow>(
    database,
    `WITH ended AS (${end}), made AS (
       INSERT INTO creations (id, user_id, job_id, tool, type, prompt, content, engine, published)
       SELECT $4, user_id, id, tool, $5, $6, $7, $8, $9 FROM ended)
     SELECT * FROM ended`,
    [...parameters, creationId, type, prompt, content, result.engine, published],
  );
}

/** Makes the files of a result its creation's, so that they live as long. */
async function handOverFiles(
  transaction: EntityManager,
  job: JobRow,
  { image, thumbnail }: NonNullable<NonNullable<Outcome['creation']>['files']>,
): Promise<void> {
  const owned = await rows(
    transaction,
    `UPDATE objects SET creation_id = $1, kind = CASE key WHEN $3 THEN 'thumbnail' ELSE 'image' END
     WHERE key IN ($2, $3) AND user_id = $4 AND removed_at IS NULL RETURNING key`,
    [job.result?.creationId, image.key, thumbnail.key, job.user_id],
  );
  if (owned.length < new Set([image.key, thumbnail.key]).size)
    throw new Error('A file of the result is gone.');
}

async function completeResult(
  transaction: EntityManager,
  job: JobRow,
  fields: Record<string, unknown>,
): Promise<JobRow> {
  const complete = await row<JobRow>(
    transaction,
    `UPDATE jobs SET result = result || $2::jsonb WHERE id = $1 RETURNING *`,
    [job.id, JSON.stringify(fields)],
  );
  return complete ?? job;
}

async function giveBack(transaction: EntityManager, job: JobRow): Promise<JobRow> {
  if (job.credits === 0 || job.charge_month === null) return job;
  await refund(transaction, {
    userId: job.user_id,
    month: job.charge_month,
    amount: job.credits,
    jobId: job.id,
  });
  const cleared = await row<JobRow>(transaction, `UPDATE jobs SET credits = 0 WHERE id = $1 RETURNING *`, [
    job.id,
  ]);
  return cleared ?? job;
}
