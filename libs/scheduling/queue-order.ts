import { z } from 'zod';
import { queueNames, type QueueName } from '#libs/contract/jobs.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { queryColumns, queryRow, queryRows, type Database, type Transaction } from '#libs/database/sql.js';
import type { LiveEvents } from '#libs/events/live-events.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import { lanes, MAX_VIRTUAL_START } from '#libs/queue/priorities.js';
import { QUEUE_ORDER, virtualTimeOf } from './fair-queueing.js';
import { readJobsToYield, SLOWED_USERS } from './fair-shares.js';
import { toQueueEntry, type QueuedJob } from './queue-entry.js';
import { readThroughputs, type Throughput } from './throughput.js';

/** Seconds between two passes. */
export const QUEUE_ORDER_PASS_SECONDS = 2;
/** Maximum share of a queue's slots for overdue jobs while premium jobs wait. */
const OVERDUE_SHARE = 0.5;
/** Maximum number of jobs moved in one queue by one pass. */
const BATCH = 500;
/** Virtual time grows while a lane is not empty. It is reset to zero before it exceeds its range. */
const RESET_VIRTUAL_TIME_AT = MAX_VIRTUAL_START / 2;
/** First key of our advisory locks: any number not used otherwise on this database. */
const LOCK = 770_154;

/** Keeps the order of waiting jobs fair over time, in the table and in the queue. One process at a time runs a pass. */
export class QueueOrder {
  constructor(
    private readonly dataSource: Database,
    private readonly queue: JobQueue,
    private readonly live: Pick<LiveEvents, 'publish'>,
    /** Maximum wait of a standard job while premium jobs keep arriving. */
    private readonly standardWaitSeconds: number,
  ) {}

  async pass(): Promise<void> {
    const waiting = await readQueuesWithWaitingJobs(this.dataSource);
    if (waiting.length === 0) return;
    const throughputs = await readThroughputs(this.dataSource);
    for (const { queue } of waiting) await this.passOver(queue, throughputs.get(queue));
  }

  /** The queue changes before the commit: if either fails, the next pass repeats both. */
  private async passOver(queue: QueueName, throughput: Throughput | undefined): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      if (!(await tryLockQueue(transaction, queue))) return;
      const moved = [
        ...(await slowDownUsers(transaction, queue)),
        ...(await endSlowdowns(transaction, queue)),
        ...(await promoteOverdueJobs(transaction, queue, {
          waitSeconds: this.standardWaitSeconds / 2,
          ...overdueLimits(throughput),
        })),
        ...(await closeGaps(transaction, queue)),
        ...(await resetVirtualTime(transaction, queue)),
      ];
      await this.queue.reorder(moved.map(toQueueEntry));
      for (const id of await readJobsToYield(transaction, queue)) this.live.publish('job:yields', id);
    });
  }
}

interface OverdueLimits {
  /** Per user. */
  perUser: number;
  /** In the lane for overdue jobs. */
  inLane: number;
}

/** At most as many jobs as end before the next pass, so that half of all slots stay free for premium jobs. */
function overdueLimits(throughput: Throughput | undefined): OverdueLimits {
  const share = Math.max(1, (throughput?.slots ?? 0) * OVERDUE_SHARE);
  const seconds = throughput?.averageSeconds || QUEUE_ORDER_PASS_SECONDS;
  const perSlot = Math.max(1, QUEUE_ORDER_PASS_SECONDS / seconds);
  return { perUser: Math.floor(share), inLane: Math.min(Math.ceil(share * perSlot), BATCH) };
}

const readQueuesWithWaitingJobs = (dataSource: Database) =>
  queryRows(
    dataSource,
    z.object({ queue: z.enum(queueNames) }),
    `SELECT name AS queue FROM unnest($1::text[]) AS names(name)
     WHERE EXISTS (SELECT FROM jobs WHERE status = 'queued' AND queue = name)`,
    [queueNames],
  );

/** Returns false while another process orders this queue. The transaction's end releases the lock. */
async function tryLockQueue(transaction: Transaction, queue: QueueName): Promise<boolean> {
  const lock = await queryRow(
    transaction,
    z.object({ held: z.boolean() }),
    `SELECT pg_try_advisory_xact_lock(${LOCK}, $1) AS held`,
    [queueNames.indexOf(queue)],
  );
  return lock?.held === true;
}

/**
 * While premium jobs wait, moves standard jobs that have waited half of their maximum time to the lane for overdue jobs,
 * in order and few per user, so that one user's many jobs stay behind those of others.
 */
const promoteOverdueJobs = (
  transaction: Transaction,
  queue: QueueName,
  { waitSeconds, perUser, inLane }: OverdueLimits & { waitSeconds: number },
) =>
  moveJobs(
    transaction,
    `UPDATE jobs SET lane = ${lanes.overdue} WHERE status = 'queued' AND id IN (
       SELECT id FROM (
         SELECT ${QUEUE_ORDER}, row_number() OVER (PARTITION BY user_id ORDER BY ${QUEUE_ORDER}) AS nth
         FROM jobs WHERE status = 'queued' AND queue = $1 AND lane = ${lanes.standard}
           AND created_at < now() - make_interval(secs => $2) AND (run_after IS NULL OR run_after <= now())
       ) overdue
       WHERE nth <= $3 AND EXISTS (
         SELECT FROM jobs WHERE status = 'queued' AND queue = $1 AND lane = ${lanes.premium})
       ORDER BY ${QUEUE_ORDER}
       LIMIT greatest(0, $4 - (SELECT count(*) FROM jobs
         WHERE queue = $1 AND lane = ${lanes.overdue}
           AND (status = 'running' OR (status = 'queued' AND (run_after IS NULL OR run_after <= now()))))))`,
    [queue, waitSeconds, perUser, inLane],
  );

/** Virtual time of each lane of the queue $1. Without OFFSET, PostgreSQL computes it again for each job. */
const VIRTUAL_TIMES = `(
  SELECT named.lane AS of_lane, ${virtualTimeOf('$1', 'named.lane')} AS virtual_time
  FROM (VALUES (${lanes.premium}), (${lanes.standard})) AS named(lane) OFFSET 0
) virtual_times`;

/** Moves jobs up after their user cancelled earlier ones: a user's nth job starts at most n after the virtual time. */
const closeGaps = (transaction: Transaction, queue: QueueName) =>
  moveJobs(
    transaction,
    `UPDATE jobs SET virtual_start = gaps.due FROM (
       SELECT id, virtual_time + nth AS due FROM (
         SELECT ${QUEUE_ORDER}, virtual_time,
           row_number() OVER (PARTITION BY lane, user_id ORDER BY ${QUEUE_ORDER})::integer AS nth
         FROM jobs JOIN ${VIRTUAL_TIMES} ON of_lane = lane
         WHERE status = 'queued' AND queue = $1
       ) waiting WHERE virtual_start > virtual_time + nth ORDER BY nth LIMIT ${BATCH}
     ) gaps WHERE jobs.id = gaps.id AND status = 'queued'`,
    [queue],
  );

/** Moves the jobs of slowed users behind all others. */
const slowDownUsers = (transaction: Transaction, queue: QueueName) =>
  moveJobs(
    transaction,
    `UPDATE jobs SET lane = ${lanes.slowed}, virtual_start = nth FROM (
       SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY ${QUEUE_ORDER})::integer AS nth FROM jobs
       WHERE status = 'queued' AND queue = $1 AND lane <> ${lanes.slowed} AND user_id IN ${SLOWED_USERS}
       LIMIT ${BATCH}
     ) slowed WHERE jobs.id = slowed.id AND status = 'queued'`,
    [queue],
  );

/** Moves the jobs of users who are no longer slowed back to their lane. */
const endSlowdowns = (transaction: Transaction, queue: QueueName) =>
  moveJobs(
    transaction,
    `UPDATE jobs SET lane = own_lane, virtual_start = due FROM (
       SELECT id, own_lane, coalesce(virtual_time, 0) + nth AS due FROM (
         SELECT id, CASE priority WHEN 'premium' THEN ${lanes.premium} ELSE ${lanes.standard} END AS own_lane,
           row_number() OVER (PARTITION BY user_id ORDER BY ${QUEUE_ORDER})::integer AS nth
         FROM jobs WHERE status = 'queued' AND queue = $1 AND lane = ${lanes.slowed}
           AND user_id NOT IN ${SLOWED_USERS}
       ) free JOIN ${VIRTUAL_TIMES} ON of_lane = own_lane
       LIMIT ${BATCH}
     ) back WHERE jobs.id = back.id AND status = 'queued'`,
    [queue],
  );

const resetVirtualTime = (transaction: Transaction, queue: QueueName) =>
  moveJobs(
    transaction,
    `UPDATE jobs SET virtual_start = greatest(virtual_start - virtual_time, 0) FROM ${VIRTUAL_TIMES}
     WHERE of_lane = lane AND virtual_time > ${RESET_VIRTUAL_TIME_AT} AND status IN ('queued', 'running') AND queue = $1`,
    [queue],
  );

/** Returns the moved jobs in their new order: entries of the same virtual start time run in the order of insertion. */
const moveJobs = (transaction: Transaction, update: string, parameters: unknown[]): Promise<QueuedJob[]> =>
  queryColumns(
    transaction,
    JobEntity,
    ['id', 'queue', 'tool', 'lane', 'virtualStart'],
    `WITH moved AS (${update} RETURNING jobs.id, queue, tool, lane, virtual_start, created_at)
     SELECT * FROM moved ORDER BY ${QUEUE_ORDER}`,
    parameters,
  );
