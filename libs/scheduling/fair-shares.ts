import { z } from 'zod';
import type { QueueName } from '#libs/contract/jobs.js';
import { execute, queryRows, type Database, type Transaction } from '#libs/database/sql.js';
import { lanes } from '#libs/queue/priorities.js';

/**
 * SQL for fair shares. While standard jobs use a queue, premium jobs and jobs of slowed users leave a quarter of its slots to
 * them (the database function `slots_are_reserved`). While jobs of other users with the same or a higher plan wait, the running
 * jobs of a user, and those of all slowed users together, may hold at most half of a queue's slots. A job above this share yields:
 * it moves behind the next job of another user. The database function `claim_job` applies the limit of one user and the reserved
 * slots to waiting jobs. The limit of all slowed users together applies to running jobs only.
 */

/** Limit on a user's slots while the number of slots is unknown. */
const NO_LIMIT = 2_147_483_647;

/** SQL: slots of a queue. Null if no worker has reported its slots recently. */
export const slotsOf = (queue: string) => `(
  SELECT sum(slots)::integer FROM worker_slots
  WHERE worker_slots.queue = ${queue} AND seen_at > now() - interval '15 seconds')`;

/** SQL: maximum slots of a queue for one user. */
const shareOf = (queue: string) => `ceil(${slotsOf(queue)} / 2.0)`;

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
const MAY_YIELD = `attempts <= ${MAX_YIELDING_ATTEMPT} AND partial = ''`;
/** SQL: true for a job that may not use the slots that are reserved for standard jobs. */
export const IS_PREMIUM_OR_SLOWED = `lane IN (${lanes.premium}, ${lanes.slowed})`;

/**
 * Reads running jobs that should yield, newest first. A job yields if its user, or all slowed users together, hold more than
 * the fair share and a job of another user waits because no slot is free, or because the free slots are reserved for standard
 * jobs; or if no slot is free, a standard job waits, and the job holds a slot that is reserved for standard jobs: jobs of
 * slowed users before premium jobs. A job that has streamed text does not yield.
 */
export const readJobsToYield = async (transaction: Transaction, queue: QueueName): Promise<string[]> => {
  const found = await queryRows(
    transaction,
    z.object({ id: z.string() }),
    `SELECT id FROM (
       SELECT id, queue, lane, user_id, attempts, partial, count(*) OVER (PARTITION BY user_id) AS held,
         count(*) OVER () AS busy, count(*) OVER (PARTITION BY ${IS_PREMIUM_OR_SLOWED}) AS of_kind,
         count(*) OVER (PARTITION BY lane) AS of_lane,
         row_number() OVER (PARTITION BY user_id, ${MAY_YIELD} ORDER BY started_at DESC) AS nth,
         row_number() OVER (PARTITION BY lane, ${MAY_YIELD} ORDER BY started_at DESC) AS nth_of_lane,
         row_number() OVER (PARTITION BY ${IS_PREMIUM_OR_SLOWED}, ${MAY_YIELD} ORDER BY lane DESC, started_at DESC)
           AS nth_of_kind
       FROM jobs WHERE status = 'running' AND queue = $1 AND lease_until > now()
     ) running CROSS JOIN (SELECT ${slotsOf('$1')} AS slots) AS all_slots
     WHERE ${MAY_YIELD}
       AND (((nth <= held - ceil(slots / 2.0) OR (lane = ${lanes.slowed} AND nth_of_lane <= of_lane - ceil(slots / 2.0))) AND (
           (busy >= slots AND EXISTS (SELECT ${othersOf('running')}))
           OR (${IS_PREMIUM_OR_SLOWED} AND (SELECT slots_are_reserved($1, ${slotsOf('$1')}, 0))
             AND EXISTS (SELECT ${othersOf('running')} AND other.lane = ${lanes.premium}))))
         OR (busy >= slots AND ${IS_PREMIUM_OR_SLOWED} AND nth_of_kind <= of_kind - (slots - slots / 4) AND EXISTS (
           SELECT FROM jobs WHERE status = 'queued' AND queue = $1
             AND lane IN (${lanes.overdue}, ${lanes.standard}) AND (run_after IS NULL OR run_after <= now()))))`,
    [queue],
  );
  return found.map(({ id }) => id);
};

/** Minutes after which the weight of a failure is halved. */
export const SLOWED_HALF_LIFE_MINUTES = 5;
/** Total weight from which a user is slowed down. More than 1, since a single failure may be an accident. */
export const SLOWED_MIN_WEIGHT = 1.5;

/** Seconds of CPU time that weigh as much as a failure. Only jobs that take more than a second count. */
const SECONDS_OF_A_FAILURE = 60;

/** SQL: failures and CPU time, weighted by their age. */
const WEIGHT = `(slowdown.failures
  * power(0.5, extract(epoch FROM now() - slowdown.updated_at) / ${SLOWED_HALF_LIFE_MINUTES * 60}))`;

/** SQL: users whose jobs repeatedly exceeded a worker's time or memory limit, or took much CPU time. Their jobs wait behind all others. */
export const SLOWED_USERS = `(
  SELECT user_id FROM user_slowdowns AS slowdown WHERE ${WEIGHT} >= ${SLOWED_MIN_WEIGHT})`;

/** Records that a job exceeded its time or memory limit, which may slow down its user. */
export const recordLimitFailure = (transaction: Transaction, userId: string) =>
  addWeight(transaction, userId, 1);

/** Records the CPU time of a job, which may slow down its user. */
export const recordCpuTime = (database: Database, userId: string, seconds: number) =>
  addWeight(database, userId, seconds / SECONDS_OF_A_FAILURE);

const addWeight = (database: Database, userId: string, weight: number) =>
  execute(
    database,
    `INSERT INTO user_slowdowns AS slowdown (user_id, failures, updated_at)
     SELECT id, $2, now() FROM users WHERE id = $1
     ON CONFLICT (user_id) DO UPDATE SET failures = $2 + ${WEIGHT}, updated_at = now()`,
    [userId, weight],
  );
