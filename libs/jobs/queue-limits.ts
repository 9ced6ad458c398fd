import { z } from 'zod';
import { AppError } from '#libs/contract/errors.js';
import type { Lane, Priority, QueueName } from '#libs/contract/queues.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { queryRow, type Transaction } from '#libs/database/sql.js';
import { lanes } from '#libs/queue/priorities.js';
import { virtualTimeOf } from './fair-queueing.js';
import { isSlowed } from './fair-shares.js';
import { readThroughputs, secondsUntilStart } from './throughput.js';

export interface SubmissionLimits {
  /** Jobs one user may have queued and running at once. */
  unfinishedPerUser: number;
  /** Jobs that may wait in a queue before users of a plan are refused there. */
  waitingAtMost: Record<Priority, Record<QueueName, number>>;
}

/** The part of a user's unfinished jobs that pictures of batches may be, so that room is left for other work. */
const BATCH_SHARE = 0.75;

interface NewJob {
  userId: string;
  queue: QueueName;
  priority: Priority;
  /** A picture that is sent for a batch. */
  isBatchItem: boolean;
}

/** The place of a new job in its queue. @throws AppError RATE_LIMITED for this user, QUEUE_FULL for the whole plan */
export async function takeQueuePlace(
  transaction: Transaction,
  limits: SubmissionLimits,
  job: NewJob,
): Promise<{ lane: Lane; virtualStart: number; wentAheadOf: number }> {
  const waitingAtMost = limits.waitingAtMost[job.priority][job.queue];
  const lane = (await isSlowed(transaction, job.userId)) ? lanes.slowed : lanes[job.priority];
  const found = await readQueueState(transaction, job, lane, waitingAtMost);
  if (!found || found.unfinished >= limits.unfinishedPerUser) {
    throw new AppError(
      'RATE_LIMITED',
      `You have ${limits.unfinishedPerUser} unfinished jobs. Wait for one to end, or cancel one.`,
      { retryAfterSeconds: 30 },
    );
  }
  const pictures = Math.ceil(limits.unfinishedPerUser * BATCH_SHARE);
  if (job.isBatchItem && found.batchItems >= pictures) {
    throw new AppError(
      'RATE_LIMITED',
      `${pictures} pictures of your batches wait to be done. Send more once some of them are.`,
      { retryAfterSeconds: 30 },
    );
  }
  if (found.waiting >= waitingAtMost) throw await queueFull(transaction, job.queue, waitingAtMost);
  const { virtualStart, overtaken } = found;
  return { lane, virtualStart, wentAheadOf: overtaken };
}

/** Reads everything in one statement, under the lock of the user's row. Waiting jobs are counted up to the limit. */
const readQueueState = (
  transaction: Transaction,
  { userId, queue }: NewJob,
  lane: Lane,
  waitingAtMost: number,
) =>
  queryRow(
    transaction,
    z.object({
      unfinished: z.number(),
      batchItems: z.number(),
      waiting: z.number(),
      virtualStart: z.number(),
      overtaken: z.number(),
    }),
    `SELECT count(*)::integer AS unfinished, count(batch_id)::integer AS "batchItems",
       (SELECT count(*)::integer FROM (
          SELECT FROM jobs WHERE status = 'queued' AND queue = $2 LIMIT $4) counted) AS waiting,
       CASE $3::smallint WHEN ${lanes.premium} THEN (SELECT count(*)::integer FROM (
          SELECT FROM jobs AS later WHERE later.status = 'queued' AND later.queue = $2 AND later.lane > $3
            AND later.user_id <> $1 AND (later.run_after IS NULL OR later.run_after <= now()) LIMIT $4) passed)
         ELSE 0 END AS overtaken,
       coalesce(greatest(max(virtual_start) FILTER (WHERE queue = $2 AND lane = $3),
         ${virtualTimeOf('$2', '$3')}), 0) + 1 AS "virtualStart"
     FROM jobs WHERE user_id = $1 AND status IN ('queued', 'running')`,
    [userId, queue, lane, waitingAtMost],
  );

/** Seconds that a refused user is asked to wait at most, and where the queue's throughput is unknown. */
const MAX_WAIT_SECONDS = 600;
const DEFAULT_WAIT_SECONDS = 30;

/** Says when the queue will have room again, by its present throughput. */
async function queueFull(transaction: Transaction, queue: QueueName, limit: number): Promise<AppError> {
  const waiting = await transaction.countBy(JobEntity, { queue, status: 'queued' });
  const tooMany = Math.max(waiting - limit, 0);
  const throughput = (await readThroughputs(transaction)).get(queue);
  const wait = throughput && secondsUntilStart(throughput, tooMany * (throughput.averageSeconds ?? 0));
  const seconds = Math.min(Math.max(Math.ceil(wait ?? DEFAULT_WAIT_SECONDS), 1), MAX_WAIT_SECONDS);
  return new AppError(
    'QUEUE_FULL',
    `Too much is waiting to be done just now. Nothing was charged; try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { retryAfterSeconds: seconds },
  );
}
