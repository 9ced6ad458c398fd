import { z } from 'zod';
import { AppError } from '#libs/contract/errors.js';
import { BatchItemEntity, type BatchEntity } from '#libs/database/entities/batches.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { execute, queryColumns, queryRow, type Transaction } from '#libs/database/sql.js';
import { refundUnsubmittedJobs } from '#libs/billing/credits.js';
import { prepaidJobSchema, type JobPlace, type TakenPlace } from '#libs/jobs/job-place.js';

/** Functions for the pictures of batches. Callers must hold a transaction with the user's row locked. */

/**
 * SQL condition on `batches`, `batch_items` and `jobs`: the picture must be uploaded again, since its job failed or was
 * cancelled and its file was deleted, so the job cannot be retried.
 */
export const IS_SENDABLE_AGAIN = `(jobs.status IN ('failed', 'cancelled') AND NOT left_out AND cancelled_at IS NULL
  AND (jobs.input IS NULL OR NOT EXISTS (
    SELECT FROM objects WHERE key = jobs.files ->> 'image' AND removed_at IS NULL)))`;

export const batchNotFound = () => new AppError('NOT_FOUND', 'There is no such batch.');

export const pictureNotFound = () =>
  new AppError('NOT_FOUND', 'There is no such picture in a batch of yours.');

export const pictureLeftOut = () => new AppError('JOB_CANCELLED', 'This picture was left out of its batch.');

interface BatchItemId {
  batchId: string;
  n: number;
}

/** Place of a picture that is being uploaded. */
export const batchItemPlace = (item: BatchItemId): JobPlace => ({
  batch: { id: item.batchId, isLimited: true },
  take: (transaction, userId) => takeBatchItem(transaction, userId, item),
  attach: async (transaction, { id }, repeats) => {
    if (repeats !== undefined) await replaceBatchJob(transaction, item.batchId, repeats, id);
  },
});

/** Place of the picture whose job is being retried. Undefined if the job is not part of a batch. */
export const retriedBatchItem = ({ id, batchId }: Pick<JobEntity, 'id' | 'batchId'>): JobPlace | undefined =>
  batchId === null
    ? undefined
    : {
        batch: { id: batchId, isLimited: false },
        take: async () => ({ kind: 'repeat', repeats: id }),
        attach: (transaction, job) => replaceBatchJob(transaction, batchId, id, job.id),
      };

/**
 * Reserves a picture for the job that the transaction stores. If the picture already had a job, the new job is charged
 * again.
 * @throws AppError NOT_FOUND, or JOB_CANCELLED if the picture was left out
 */
async function takeBatchItem(
  transaction: Transaction,
  userId: string,
  { batchId, n }: BatchItemId,
): Promise<TakenPlace> {
  const prepaid = await queryRow(
    transaction,
    prepaidJobSchema,
    `UPDATE batch_items SET sent = true FROM batches
     WHERE batches.id = batch_id AND batch_id = $1 AND n = $2 AND user_id = $3 AND NOT sent AND NOT left_out
     RETURNING job_id AS "jobId", credits, price, to_char(charge_month, 'YYYY-MM-DD') AS "chargeMonth"`,
    [batchId, n, userId],
  );
  if (prepaid) return { kind: 'first', prepaid };
  const again = await queryRow(
    transaction,
    z.object({ repeats: z.string() }),
    `SELECT job_id AS repeats FROM batch_items JOIN batches ON batches.id = batch_id JOIN jobs ON jobs.id = job_id
     WHERE batches.id = $1 AND n = $2 AND batches.user_id = $3 AND ${IS_SENDABLE_AGAIN}`,
    [batchId, n, userId],
  );
  if (again) return { kind: 'repeat', ...again };
  const item = await transaction.findOneBy(BatchItemEntity, { batchId, n });
  const job = item && (await transaction.findOneBy(JobEntity, { id: item.jobId, userId }));
  if (job) return { kind: 'taken', job };
  throw item?.leftOut ? pictureLeftOut() : pictureNotFound();
}

/**
 * Replaces a picture's job by the retry of that job.
 * @throws AppError JOB_NOT_RETRYABLE if another job already retries it or the batch was cancelled
 */
async function replaceBatchJob(
  transaction: Transaction,
  batchId: string,
  retryOf: string,
  jobId: string,
): Promise<void> {
  const moved = await execute(
    transaction,
    `UPDATE batch_items SET job_id = $3 FROM batches
     WHERE batches.id = batch_id AND batch_id = $1 AND job_id = $2 AND NOT left_out AND cancelled_at IS NULL`,
    [batchId, retryOf, jobId],
  );
  if (moved > 0) return;
  throw new AppError(
    'JOB_NOT_RETRYABLE',
    'This picture was tried again already, was left out, or its batch was cancelled.',
  );
}

/**
 * Leaves out and refunds pictures that were not uploaded.
 * @param n number of a single picture; default: all pictures
 * @returns the refunded credits
 */
export async function leaveOutMissing(
  transaction: Transaction,
  batch: Pick<BatchEntity, 'id' | 'userId' | 'credits' | 'chargeMonth'>,
  n?: number,
): Promise<number> {
  const leftOut = await queryColumns(
    transaction,
    BatchItemEntity,
    ['jobId'],
    `UPDATE batch_items SET left_out = true
     WHERE batch_id = $1 AND ($2::integer IS NULL OR n = $2) AND NOT sent AND NOT left_out
     RETURNING job_id`,
    [batch.id, n ?? null],
  );
  const { userId, credits: amount, chargeMonth: month } = batch;
  return refundUnsubmittedJobs(
    transaction,
    { userId, month, note: 'The picture was left out of its batch.' },
    leftOut.map(({ jobId }) => ({ jobId, amount })),
  );
}
