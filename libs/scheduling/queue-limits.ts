import { AppError } from '#libs/contract/errors.js';
import type { Priority, QueueName } from '#libs/contract/jobs.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import type { Database } from '#libs/database/sql.js';
import { readThroughputs, secondsUntilStart } from './throughput.js';

export interface SubmissionLimits {
  /** Maximum unfinished jobs (queued or running) of one user. */
  unfinishedPerUser: number;
  /** Maximum waiting jobs of a queue, by plan. At this length, the queue refuses new jobs of users with that plan. */
  waitingAtMost: Record<Priority, Record<QueueName, number>>;
}

/** Maximum fraction of a user's unfinished jobs that may be batch pictures, so that there is room for other work. */
export const BATCH_SHARE = 0.75;

export const tooManyUnfinished = (atMost: number) =>
  new AppError(
    'RATE_LIMITED',
    `You have ${atMost} unfinished ${atMost === 1 ? 'job' : 'jobs'}. Wait for one to end, or cancel one.`,
    {
      retryAfterSeconds: 30,
    },
  );

export const tooManyBatchItems = (atMost: number) =>
  new AppError(
    'RATE_LIMITED',
    `${atMost} pictures of your batches are waiting. Send more when some of them are done.`,
    { retryAfterSeconds: 30 },
  );

/** Seconds in `Retry-After`: the maximum, and the default if the throughput is unknown. */
const MAX_WAIT_SECONDS = 600;
const DEFAULT_WAIT_SECONDS = 30;

/** Error for a full queue. `Retry-After` is estimated from the queue's throughput. */
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
