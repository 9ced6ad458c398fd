import { z } from 'zod';
import type { QueueName } from '#libs/contract/jobs.js';
import { execute, queryRows, type Transaction } from '#libs/database/sql.js';
import { lanes } from '#libs/queue/priorities.js';

/**
 * SQL for fair shares. While jobs of other users with the same or a higher plan wait, a user's running jobs may hold at
 * most half of a queue's slots. A job above this share yields: it moves behind the next job of another user. The
 * database function `claim_job` applies the same rules to waiting jobs.
 */

/** Limit on a user's slots while the number of slots is unknown. */
const NO_LIMIT = 2_147_483_647;

/** SQL: maximum slots of a queue for one user. Null if no worker has reported its slots recently. */
const shareOf = (queue: string) => `(
  SELECT ceil(sum(slots) / 2.0) FROM worker_slots
  WHERE worker_slots.queue = ${queue} AND seen_at > now() - interval '15 seconds')`;

/** SQL: number of a user's running jobs in a queue. */
const runningOf = (user: string, queue: string) => `(
  SELECT count(*) FROM jobs AS one
  WHERE one.user_id = ${user} AND one.queue = ${queue} AND one.status = 'running' AND one.lease_until > now())`;

/**
 * SQL: waiting jobs of other users that `job` must yield to. These are in the same lane or a lane before, and their
 * user is below the fair share. Jobs of slowed users don't count.
 */
const othersOf = (job: string) => `FROM jobs AS other
  WHERE other.status = 'queued' AND other.queue = ${job}.queue AND other.lane <= least(${job}.lane, ${lanes.standard})
    AND other.user_id <> ${job}.user_id AND (other.run_after IS NULL OR other.run_after <= now())
    AND ${runningOf('other.user_id', 'other.queue')} < coalesce(${shareOf('other.queue')}, ${NO_LIMIT})`;

/** SQL: virtual start time just behind the next job of another user. Null if no such job waits in the lane. */
export const BEHIND_NEXT_USER = `(
  SELECT 1 + min(other.virtual_start) ${othersOf('jobs')} AND other.lane = jobs.lane)`;

/** Maximum number of attempts of a job that yields. Each yield discards work, so later attempts keep their slot. */
const MAX_YIELDING_ATTEMPT = 5;

/**
 * Reads running jobs that should yield, newest first. A job yields if no slot is free, a job of another user waits, and
 * its user holds more than the fair share. A job that has streamed text does not yield.
 */
export const readJobsToYield = async (transaction: Transaction, queue: QueueName): Promise<string[]> => {
  const found = await queryRows(
    transaction,
    z.object({ id: z.string() }),
    `SELECT id FROM (
       SELECT id, queue, lane, user_id, attempts, partial, count(*) OVER (PARTITION BY user_id) AS held,
         count(*) OVER () AS busy,
         row_number() OVER (PARTITION BY user_id, attempts <= ${MAX_YIELDING_ATTEMPT} AND partial = '' ORDER BY started_at DESC) AS nth
       FROM jobs WHERE status = 'running' AND queue = $1 AND lease_until > now()
     ) running
     WHERE attempts <= ${MAX_YIELDING_ATTEMPT} AND partial = '' AND nth <= held - ${shareOf('$1')}
       AND busy >= (SELECT sum(slots) FROM worker_slots
         WHERE queue = $1 AND seen_at > now() - interval '15 seconds')
       AND EXISTS (SELECT ${othersOf('running')})`,
    [queue],
  );
  return found.map(({ id }) => id);
};

/** Minutes after which the weight of a failure is halved. */
export const SLOWED_HALF_LIFE_MINUTES = 5;
/** Total weight from which a user is slowed down. More than 1, since a single failure may be an accident. */
export const SLOWED_MIN_WEIGHT = 1.5;

/** SQL: number of failures, weighted by their age. */
const WEIGHT = `(slowdown.failures
  * power(0.5, extract(epoch FROM now() - slowdown.updated_at) / ${SLOWED_HALF_LIFE_MINUTES * 60}))`;

/** SQL: users whose jobs repeatedly exceeded a worker's time or memory limit. Their jobs wait behind all others. */
export const SLOWED_USERS = `(
  SELECT user_id FROM user_slowdowns AS slowdown WHERE ${WEIGHT} >= ${SLOWED_MIN_WEIGHT})`;

/** Records that a job exceeded its time or memory limit, which may slow down its user. */
export const recordLimitFailure = (transaction: Transaction, userId: string) =>
  execute(
    transaction,
    `INSERT INTO user_slowdowns AS slowdown (user_id, failures, updated_at) VALUES ($1, 1, now())
     ON CONFLICT (user_id) DO UPDATE SET failures = 1 + ${WEIGHT}, updated_at = now()`,
    [userId],
  );
