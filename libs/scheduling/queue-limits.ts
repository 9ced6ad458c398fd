import { AppError } from '#libs/contract/errors.js';
import type { Priority, QueueName } from '#libs/contract/jobs.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import type { Database } from '#libs/database/sql.js';
import { readThroughputs, secondsUntilStart } from './throughput.js';

export interface SubmissionLimits {
  /** Jobs one user may have queued and running at once. */
  unfinishedPerUser: number;
  /** Number of waiting jobs from which a queue refuses users of a plan. */
  waitingAtMost: Record<Priority, Record<QueueName, number>>;
}

/** Maximum share of batch pictures among a user's unfinished jobs, to leave room for other work. */
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
    `${batchItemsAtMost(limits)} pictures of your batches are waiting. Send more when some of them are done.`,
    { retryAfterSeconds: 30 },
  );

/** Seconds in `Retry-After`: maximum, and default while the throughput is unknown. */
const MAX_WAIT_SECONDS = 600;
const DEFAULT_WAIT_SECONDS = 30;

/** Estimates from the throughput when the queue has room again. */
export async function queueFull(database: Database, queue: QueueName, limit: number): Promise<AppError> {
  const waiting = await database.getRepository(JobEntity).countBy({ queue, status: 'queued' });
  const tooMany = Math.max(waiting - limit, 0);
  const throughput = (await readThroughputs(database)).get(queue);
  const wait = throughput && secondsUntilStart(throughput, tooMany * (throughput.averageSeconds ?? 0));
  const seconds = Math.min(Math.max(Math.ceil(wait ?? DEFAULT_WAIT_SECONDS), 1), MAX_WAIT_SECONDS);
  return new AppError(
    'QUEUE_FULL',
    `Too many jobs are waiting right now. Nothing was charged; try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { retryAfterSeconds: seconds },
  );
}
