import { z } from 'zod';
import type { QueueName } from '#libs/contract/jobs.js';
import { execute, queryRows, type Transaction } from '#libs/database/sql.js';
import { lanes } from '#libs/queue/priorities.js';

/**
 * The share of a queue's slots that one user's running jobs may hold while another user's job of no lower plan waits: half
 * of them. A job that would be too many yields: it goes behind the next job of another user. The function `claim_job` of
 * the database (migration 31) does so with a waiting job by the same conditions.
 */

/** The share while the number of slots is unknown. */
const NO_LIMIT = 2_147_483_647;

/** The most slots of a queue that one user may hold; null while no worker has said how many it has. */
const shareOf = (queue: string) => `(
  SELECT ceil(sum(slots) / 2.0) FROM worker_slots
  WHERE worker_slots.queue = ${queue} AND seen_at > now() - interval '15 seconds')`;

/** The jobs of a queue that a user runs. */
const runningOf = (user: string, queue: string) => `(
  SELECT count(*) FROM jobs AS one
  WHERE one.user_id = ${user} AND one.queue = ${queue} AND one.status = 'running' AND one.lease_until > now())`;

/** The jobs of other users that wait for the slot that a job takes. A slowed user's job gives way to all. */
const othersOf = (job: string) => `FROM jobs AS other
  WHERE other.status = 'queued' AND other.queue = ${job}.queue AND other.lane <= least(${job}.lane, ${lanes.standard})
    AND other.user_id <> ${job}.user_id AND (other.run_after IS NULL OR other.run_after <= now())
    AND ${runningOf('other.user_id', 'other.queue')} < coalesce(${shareOf('other.queue')}, ${NO_LIMIT})`;

/** The virtual start time behind the next job of another user; null where none of the lane waits. */
export const BEHIND_NEXT = `(
  SELECT 1 + min(other.virtual_start) ${othersOf('jobs')} AND other.lane = jobs.lane)`;

/** The last attempt in which a job yields: each yield repeats its work. */
const LAST_TO_YIELD = 5;

/**
 * Running jobs that should yield, the newest first: no slot is free, another user's job waits, and their user holds more
 * than a share. A job does not yield after it has streamed text, nor in its later attempts.
 */
export const readJobsToYield = async (transaction: Transaction, queue: QueueName): Promise<string[]> => {
  const found = await queryRows(
    transaction,
    z.object({ id: z.string() }),
    `SELECT id FROM (
       SELECT id, queue, lane, user_id, attempts, partial, count(*) OVER (PARTITION BY user_id) AS held,
         count(*) OVER () AS busy,
         row_number() OVER (PARTITION BY user_id, attempts <= ${LAST_TO_YIELD} AND partial = '' ORDER BY started_at DESC) AS nth
       FROM jobs WHERE status = 'running' AND queue = $1 AND lease_until > now()
     ) running
     WHERE attempts <= ${LAST_TO_YIELD} AND partial = '' AND nth <= held - ${shareOf('$1')}
       AND busy >= (SELECT sum(slots) FROM worker_slots
         WHERE queue = $1 AND seen_at > now() - interval '15 seconds')
       AND EXISTS (SELECT ${othersOf('running')})`,
    [queue],
  );
  return found.map(({ id }) => id);
};

/** Minutes after which a failure at a limit weighs half. */
export const SLOWED_HALF_LIFE_MINUTES = 5;
/** One failure may be an accident. */
export const SLOWED_FROM = 1.5;

/** The failures, each weighed by its age. */
const WEIGHT = `(slowdown.failures
  * power(0.5, extract(epoch FROM now() - slowdown.updated_at) / ${SLOWED_HALF_LIFE_MINUTES * 60}))`;

/** Users whose files and texts repeatedly cost a worker its limit: their jobs wait behind everybody else's. */
export const SLOWED_USERS = `(
  SELECT user_id FROM user_slowdowns AS slowdown WHERE ${WEIGHT} >= ${SLOWED_FROM})`;

/** Counts a job that failed at the limit of its time or memory. */
export const recordLimitFailure = (transaction: Transaction, userId: string) =>
  execute(
    transaction,
    `INSERT INTO user_slowdowns AS slowdown (user_id, failures, updated_at) VALUES ($1, 1, now())
     ON CONFLICT (user_id) DO UPDATE SET failures = 1 + ${WEIGHT}, updated_at = now()`,
    [userId],
  );
