import { z } from 'zod';
import type { QueueName } from '#libs/contract/jobs.js';
import type { EngineName } from '#libs/contract/engine.js';
import type { ErrorCode } from '#libs/contract/errors.js';
import type { StoredFile } from '#libs/contract/files.js';
import type { Expectation, Measure, Progress } from '#libs/contract/progress.js';
import { JobEntity, JobPreviewEntity } from '#libs/database/entities/jobs.js';
import {
  execute,
  isoTime,
  queryColumns,
  queryEntity,
  queryPreparedEntity,
  queryRows,
  type Database,
  type Transaction,
} from '#libs/database/sql.js';
import { refundCredits } from '#libs/billing/credits.js';
import { BEHIND_NEXT_USER } from '#libs/scheduling/fair-shares.js';

/**
 * SQL statements that change a job's status after its submission. Each statement has a condition on the job's current
 * state and returns undefined if the condition is not met.
 */

/**
 * One attempt of a job. Every write of a worker is conditional on the attempt, so that an outdated worker changes
 * nothing.
 */
export interface Attempt {
  jobId: string;
  attempt: number;
}

type Changed = Promise<JobEntity | undefined>;

/**
 * Each status change raises the revision by 100. {@link renewLease} commits without waiting for the disk, so a crash of
 * PostgreSQL may lose small increments that clients already received; with a step of 1, clients would then ignore the
 * status change as outdated. The database function `claim_job` uses the same step.
 */
export const NEXT_REVISION = 'revision = jobs.revision + 100';

export const deletePreviewOf = (ended: string) =>
  `DELETE FROM job_previews USING ${ended} WHERE job_previews.job_id = ${ended}.id`;

/** Deletes the preview in the same statement that ends the attempt. @param update a statement that returns the job */
export const endingAttempt = (update: string) =>
  `WITH ended AS (${update}), preview AS (${deletePreviewOf('ended')}) SELECT * FROM ended`;

/** Progress of an attempt. Without `measure`, the percentage is an estimate. */
export interface AttemptProgress extends Pick<Progress, 'percent' | 'stage' | 'message'> {
  measure?: Measure;
}

/**
 * Engine and expected duration of an attempt. Later attempts keep the job's first expectation, so progress never
 * decreases.
 */
export interface AttemptPlan {
  engine: EngineName;
  expected: Expectation | null;
}

/**
 * Renews the lease, stores the progress and raises the revision by 1. Commits asynchronously for speed: a crash of
 * PostgreSQL may lose the latest progress, which {@link NEXT_REVISION} allows for.
 */
export const renewLease = (
  database: Database,
  { jobId, attempt }: Attempt,
  leaseSeconds: number,
  { progress, partial, plan }: { progress?: AttemptProgress; partial?: string; plan?: AttemptPlan },
): Changed =>
  queryPreparedEntity(
    database,
    JobEntity,
    {
      name: 'renew_lease',
      text: (columns) => `UPDATE jobs SET lease_until = now() + make_interval(secs => $3),
       partial = coalesce($4, partial), percent = greatest(percent, $5),
       stage = coalesce($6, stage), stage_message = coalesce($7, stage_message),
       revision = revision + $8, measure = CASE $8 WHEN 0 THEN measure ELSE $9::jsonb END,
       engine = coalesce($10, engine),
       expected_from = coalesce(expected_from, $11), expected_to = coalesce(expected_to, $12)
     FROM (SELECT set_config('synchronous_commit', 'off', true)) AS unsynced
     WHERE id = $1 AND attempts = $2 AND status = 'running' RETURNING ${columns}`,
    },
    [
      jobId,
      attempt,
      leaseSeconds,
      partial ?? null,
      progress?.percent ?? null,
      progress?.stage ?? null,
      progress?.message ?? null,
      progress ? 1 : 0,
      progress?.measure ? JSON.stringify(progress.measure) : null,
      plan?.engine ?? null,
      plan?.expected?.from ?? null,
      plan?.expected?.to ?? null,
    ],
  );

/**
 * Stores the newest preview of a running attempt. The job's revision does not change.
 * @returns false if the attempt is outdated or a newer preview is stored
 */
export const storePreview = async (
  database: Database,
  { jobId, attempt }: Attempt,
  index: number,
  image: Uint8Array,
): Promise<boolean> =>
  (await execute(
    database,
    `WITH shown AS (
       UPDATE jobs SET preview_index = $3
       WHERE id = $1 AND attempts = $2 AND status = 'running' AND coalesce(preview_index, -1) < $3 RETURNING id)
     INSERT INTO job_previews (job_id, attempt, index, image) SELECT id, $2, $3, $4 FROM shown
     ON CONFLICT (job_id) DO UPDATE SET
       attempt = excluded.attempt, index = excluded.index, image = excluded.image, created_at = now()`,
    [jobId, attempt, index, image],
  )) > 0;

/** Newest preview of a user's running job, as an array with at most one row. */
export const readPreview = (database: Database, userId: string, jobId: string) =>
  queryColumns(
    database,
    JobPreviewEntity,
    ['image'],
    `SELECT image FROM job_previews JOIN jobs ON jobs.id = job_id
     WHERE job_id = $1 AND user_id = $2 AND status = 'running' AND attempts = attempt AND preview_index IS NOT NULL`,
    [jobId, userId],
  );

/** Deletes previews of attempts that no longer run, for example because their worker was killed. */
export const deleteAbandonedPreviews = (database: Database): Promise<number> =>
  execute(
    database,
    `DELETE FROM job_previews WHERE NOT EXISTS (
       SELECT FROM jobs WHERE id = job_id AND status = 'running' AND attempts = attempt)`,
  );

/**
 * Assigns result files to the creation, so that they are kept after the job, and the upload of a batch's picture as its
 * original. @throws Error if a result file was deleted during the attempt
 */
export async function moveFilesToCreation(
  transaction: Transaction,
  job: JobEntity,
  { image, thumbnail }: { image: StoredFile; thumbnail: StoredFile },
): Promise<void> {
  const moved = await execute(
    transaction,
    `UPDATE objects SET creation_id = $1, kind = CASE key WHEN $3 THEN 'thumbnail' ELSE 'image' END
     WHERE key IN ($2, $3) AND user_id = $4 AND removed_at IS NULL`,
    [job.result?.creationId, image.key, thumbnail.key, job.userId],
  );
  if (moved < new Set([image.key, thumbnail.key]).size) throw new Error('A file of the result was deleted.');
  if (job.batchId !== null)
    await execute(
      transaction,
      `UPDATE objects SET creation_id = $1, kind = 'original'
       WHERE key = $2 AND user_id = $3 AND kind = 'upload' AND removed_at IS NULL`,
      [job.result?.creationId, job.files['image'], job.userId],
    );
}

export const failJob = (
  database: Database,
  { jobId, attempt }: Attempt,
  { code, message }: { code: ErrorCode; message: string },
): Changed =>
  queryEntity(
    database,
    JobEntity,
    endingAttempt(`UPDATE jobs SET status = 'failed', error_code = $3, error_message = $4, lease_until = NULL,
       stage = 'failed', stage_message = 'Failed', measure = NULL, preview_index = NULL, finished_at = now(), ${NEXT_REVISION}
     WHERE id = $1 AND attempts = $2 AND status = 'running' RETURNING *`),
    [jobId, attempt, code, message],
  );

export const retryJobLater = (
  database: Database,
  { jobId, attempt }: Attempt,
  { delayMs, message, isFailure }: { delayMs: number; message: string; isFailure: boolean },
): Changed =>
  queryEntity(
    database,
    JobEntity,
    endingAttempt(`UPDATE jobs SET status = 'queued', failures = failures + $5, lease_until = NULL,
       run_after = now() + make_interval(secs => $3), stage = 'waiting', stage_message = $4, measure = NULL,
       preview_index = NULL, ${NEXT_REVISION}
     WHERE id = $1 AND attempts = $2 AND status = 'running' RETURNING *`),
    [jobId, attempt, delayMs / 1000, message, isFailure ? 1 : 0],
  );

export const releaseJob = (database: Database, { jobId, attempt }: Attempt): Changed =>
  queryEntity(
    database,
    JobEntity,
    endingAttempt(`UPDATE jobs SET status = 'queued', lease_until = NULL, stage = 'queued',
       stage_message = 'Waiting for its turn', measure = NULL, preview_index = NULL, ${NEXT_REVISION}
     WHERE id = $1 AND attempts = $2 AND status = 'running' RETURNING *`),
    [jobId, attempt],
  );

/** Puts a running job back into the queue so that its slot becomes free. Does not count as a failure. */
export const yieldRunningJob = (transaction: Transaction, { jobId, attempt }: Attempt): Changed =>
  queryEntity(
    transaction,
    JobEntity,
    endingAttempt(`UPDATE jobs SET status = 'queued', lease_until = NULL, stage = 'queued',
       virtual_start = greatest(virtual_start, ${BEHIND_NEXT_USER}),
       stage_message = 'Waiting for its turn', measure = NULL, preview_index = NULL, ${NEXT_REVISION}
     WHERE id = $1 AND attempts = $2 AND status = 'running' RETURNING *`),
    [jobId, attempt],
  );

/** @param statuses The job is cancelled only if it has one of these statuses. */
export const cancelJob = (
  database: Database,
  userId: string,
  jobId: string,
  statuses: ('queued' | 'running')[],
): Changed =>
  queryEntity(
    database,
    JobEntity,
    endingAttempt(`UPDATE jobs SET status = 'cancelled', lease_until = NULL, stage = 'cancelled', stage_message = 'Cancelled',
       measure = NULL, preview_index = NULL, finished_at = now(), ${NEXT_REVISION}
     WHERE id = $1 AND user_id = $2 AND status = ANY ($3) RETURNING *`),
    [jobId, userId, statuses],
  );

/** Waiting jobs to which all that is given applies. */
export interface WaitingJobs {
  queue?: QueueName;
  userId?: string;
  batchId?: string;
  ids?: string[];
}

const cancelledJobSchema = z.object({
  id: z.string(),
  userId: z.string(),
  refunded: z.number(),
  /** The same for all jobs of a statement. */
  finishedAt: isoTime,
});
export type CancelledJob = z.infer<typeof cancelledJobSchema>;

/**
 * Cancels and refunds waiting jobs in one statement.
 * @param note tells the users why
 * @returns the jobs, and the credits that each was refunded
 */
export const cancelWaitingJobs = (
  transaction: Transaction,
  { queue, userId, batchId, ids }: WaitingJobs,
  note: string,
): Promise<CancelledJob[]> =>
  queryRows(
    transaction,
    cancelledJobSchema,
    `WITH waiting AS (
       SELECT id, user_id, charge_month, CASE WHEN charge_month IS NULL THEN 0 ELSE credits END AS credits FROM jobs
       WHERE status = 'queued' AND ($1::text IS NULL OR queue = $1) AND ($2::text IS NULL OR user_id = $2)
         AND ($4::uuid IS NULL OR batch_id = $4) AND ($5::uuid[] IS NULL OR id = ANY ($5))
       ORDER BY id FOR UPDATE),
     ended AS (
       UPDATE jobs SET status = 'cancelled', stage = 'cancelled', stage_message = 'Cancelled', measure = NULL,
         preview_index = NULL, finished_at = now(), credits = 0, ${NEXT_REVISION}
       FROM waiting WHERE jobs.id = waiting.id
       RETURNING jobs.id, jobs.user_id, jobs.finished_at, waiting.credits AS refunded),
     preview AS (${deletePreviewOf('ended')}),
     entries AS (
       INSERT INTO credit_entries (user_id, month, kind, amount, job_id, api_key_id, note)
       SELECT user_id, charge_month, 'refund', credits, id,
         (SELECT api_key_id FROM credit_entries charge WHERE charge.job_id = waiting.id AND kind = 'charge'), $3
       FROM waiting WHERE credits > 0
       ON CONFLICT (job_id, kind) WHERE job_id IS NOT NULL DO NOTHING RETURNING user_id, month, amount),
     balances AS (
       UPDATE credit_balances balance SET balance = balance.balance + given.amount
       FROM (SELECT user_id, month, sum(amount)::integer AS amount FROM entries GROUP BY user_id, month) AS given
       WHERE balance.user_id = given.user_id AND balance.month = given.month)
     SELECT id, user_id AS "userId", refunded, finished_at AS "finishedAt" FROM ended`,
    [queue ?? null, userId ?? null, note, batchId ?? null, ids ?? null],
  );

/**
 * Refunds the credits of a job that was ended in the same transaction.
 * @param note tells the user why
 * @returns the job with its credits set to 0
 */
export async function refundJob(transaction: Transaction, job: JobEntity, note: string): Promise<JobEntity> {
  if (job.credits === 0 || job.chargeMonth === null) return job;
  await refundCredits(transaction, {
    userId: job.userId,
    month: job.chargeMonth,
    amount: job.credits,
    jobId: job.id,
    note,
  });
  const refunded = await queryEntity(
    transaction,
    JobEntity,
    `UPDATE jobs SET credits = 0 WHERE id = $1 RETURNING *`,
    [job.id],
  );
  return refunded ?? job;
}
