import { z } from 'zod';
import { AppError } from '#libs/contract/errors.js';
import { BatchItemEntity, type BatchEntity } from '#libs/database/entities/batches.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { execute, queryColumns, queryRow, type Transaction } from '#libs/database/sql.js';
import { refundCredits } from './credits.js';

/** The pictures of batches, in transactions that hold their user's row. */

export const noSuchPicture = () => new AppError('NOT_FOUND', 'There is no such picture in a batch of yours.');

export const pictureLeftOut = () => new AppError('JOB_CANCELLED', 'This picture was left out of its batch.');

const paidItemSchema = z.object({
  name: z.string(),
  jobId: z.string(),
  credits: z.number(),
  chargeMonth: z.string().nullable(),
});

/** A picture that was charged with its batch, and the id of its job. */
export type PaidItem = z.infer<typeof paidItemSchema>;

/**
 * Takes a picture for the job that the transaction makes.
 * @returns the job instead, where it was made before
 * @throws AppError NOT_FOUND, JOB_CANCELLED for one that was left out
 */
export async function takeBatchItem(
  transaction: Transaction,
  userId: string,
  { batchId, n }: { batchId: string; n: number },
): Promise<PaidItem | JobEntity> {
  const item = await queryRow(
    transaction,
    paidItemSchema,
    `UPDATE batch_items SET sent = true FROM batches
     WHERE batches.id = batch_id AND batch_id = $1 AND n = $2 AND user_id = $3 AND NOT sent AND NOT left_out
     RETURNING name, job_id AS "jobId", credits, to_char(charge_month, 'YYYY-MM-DD') AS "chargeMonth"`,
    [batchId, n, userId],
  );
  if (item) return item;
  const known = await transaction.findOneBy(BatchItemEntity, { batchId, n });
  const job = known && (await transaction.findOneBy(JobEntity, { id: known.jobId, userId }));
  if (job) return job;
  throw known?.leftOut ? pictureLeftOut() : noSuchPicture();
}

/**
 * Gives a picture its next job, which repeats its latest.
 * @throws AppError JOB_NOT_RETRYABLE where another does, or the batch was cancelled
 */
export async function replaceBatchJob(
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

/** Leaves pictures out that were not sent, and refunds them. @param n one of them; otherwise all */
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
  if (amount > 0 && month !== null) {
    for (const { jobId } of leftOut) await refundCredits(transaction, { userId, month, amount, jobId });
  }
  return leftOut.length;
}
