import { AppError } from '#libs/contract/errors.js';
import type { Priority, QueueName } from '#libs/contract/jobs.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import type { Database } from '#libs/database/sql.js';
import { readThroughputs, secondsUntilStart } from './throughput.js';

export interface SubmissionLimits {
  /** Jobs one user may have queued and running at once. */
  unfinishedPerUser: number;
  /** Jobs that may wait in a queue before users of a plan are refused there. */
  waitingAtMost: Record<Priority, Record<QueueName, number>>;
}

/** The part of a user's unfinished jobs that pictures of batches may be, so that room is left for other work. */
const BATCH_SHARE = 0.75;

export const batchItemsAtMost = ({ unfinishedPerUser }: SubmissionLimits) =>
  Math.ceil(unfinishedPerUser * BATCH_SHARE);

export const tooManyUnfinished = ({ unfinishedPerUser }: SubmissionLimits) =>
  new AppError(
    'RATE_LIMITED',
    `You have ${unfinishedPerUser} unfinished jobs. Wait for one to end, or cancel one.`,
    { retryAfterSeconds: 30 },
  );

export const tooManyBatchItems = (limits: SubmissionLimits) =>
  new AppError(
    'RATE_LIMITED',
    `${batchItemsAtMost(limits)} pictures of your batches wait to be done. Send more once some of them are.`,
    { retryAfterSeconds: 30 },
  );

/** Seconds that a refused user is asked to wait at most, and where the queue's throughput is unknown. */
const MAX_WAIT_SECONDS = 600;
const DEFAULT_WAIT_SECONDS = 30;

/** Says when the queue will have room again, by its present throughput. */
export async function queueFull(database: Database, queue: QueueName, limit: number): Promise<AppError> {
  const waiting = await database.getRepository(JobEntity).countBy({ queue, status: 'queued' });
  const tooMany = Math.max(waiting - limit, 0);
  const throughput = (await readThroughputs(database)).get(queue);
  const wait = throughput && secondsUntilStart(throughput, tooMany * (throughput.averageSeconds ?? 0));
  const seconds = Math.min(Math.max(Math.ceil(wait ?? DEFAULT_WAIT_SECONDS), 1), MAX_WAIT_SECONDS);
  return new AppError(
    'QUEUE_FULL',
    `Too much is waiting to be done just now. Nothing was charged; try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { retryAfterSeconds: seconds },
  );
}
