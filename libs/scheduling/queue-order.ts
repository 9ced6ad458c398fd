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

/** Seconds between two passes of the queue order. */
export const QUEUE_ORDER_PASS_SECONDS = 2;
/** Maximum fraction of a queue's slots for overdue jobs while premium jobs wait. */
const OVERDUE_SHARE = 0.5;
/** Maximum number of jobs that one pass moves in a queue. */
const BATCH = 500;
/**
 * Virtual time grows as long as a lane has jobs. At this value the lane's virtual times are reset to zero, long before
 * they overflow.
 */
const RESET_VIRTUAL_TIME_AT = MAX_VIRTUAL_START / 2;
/** First key of the advisory locks. An arbitrary number that is not used elsewhere in this database. */
const LOCK = 770_154;

/**
 * Periodically adjusts the order of waiting jobs, in the table and in the queue. Only one process runs a pass at a
 * time.
 */
export class QueueOrder {
  constructor(
    private readonly dataSource: Database,
    private readonly queue: JobQueue,
    private readonly live: Pick<LiveEvents, 'publish'>,
    /** Maximum seconds that a standard job waits while premium jobs keep arriving. */
    private readonly standardWaitSeconds: number,
  ) {}

  async pass(): Promise<void> {
    const waiting = await readQueuesWithWaitingJobs(this.dataSource);
    if (waiting.length === 0) return;
    const throughputs = await readThroughputs(this.dataSource);
    for (const { queue } of waiting) await this.passOver(queue, throughputs.get(queue));
  }

  /** Reorders the queue before the transaction commits. If either step fails, the next pass repeats both. */
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
        ...(await readOverdueJobs(transaction, queue)),
      ];
      await this.queue.reorder(moved.map(toQueueEntry));
      for (const id of await readJobsToYield(transaction, queue)) this.live.publish('job:yields', id);
    });
  }
}

interface OverdueLimits {
  /** Maximum jobs of one user that a pass promotes. */
  perUser: number;
  /** Maximum jobs in the lane for overdue jobs. */
  inLane: number;
}

/**
 * Limits overdue jobs to the number that half of the slots can finish before the next pass; the other half stays free
 * for premium jobs.
 */
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

/** @returns false if another process is ordering this queue. The lock is released when the transaction ends. */
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
 * While premium jobs wait, moves standard jobs that have waited half of their maximum time to the lane for overdue
 * jobs. Few jobs per user are moved, so that a user with many jobs does not delay the others.
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

/** Reads jobs in the lane for overdue jobs. A claim may move a job there before its entry is in the queue. */
const readOverdueJobs = (transaction: Transaction, queue: QueueName) =>
  transaction.getRepository(JobEntity).find({
    select: { id: true, queue: true, tool: true, lane: true, virtualStart: true },
    where: { queue, status: 'queued', lane: lanes.overdue },
    order: { virtualStart: 'ASC', createdAt: 'ASC' },
    take: BATCH,
  });

/**
 * SQL: virtual time of each lane of queue $1. `OFFSET 0` stops PostgreSQL from inlining the subquery, which would
 * compute it for each job.
 */
const VIRTUAL_TIMES = `(
  SELECT named.lane AS of_lane, ${virtualTimeOf('$1', 'named.lane')} AS virtual_time
  FROM (VALUES (${lanes.premium}), (${lanes.standard})) AS named(lane) OFFSET 0
) virtual_times`;

/**
 * Moves jobs forward after their users cancelled earlier jobs: a user's nth waiting job starts at most n after the
 * virtual time.
 */
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

/** Moves the jobs of slowed users behind those of all others. */
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

/** Moves the jobs of users who are no longer slowed down back to their normal lane. */
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

/**
 * Runs an update and returns the moved jobs in their new order, since jobs with equal priority run in the order in
 * which they are added to the queue.
 */
const moveJobs = (transaction: Transaction, update: string, parameters: unknown[]): Promise<QueuedJob[]> =>
  queryColumns(
    transaction,
    JobEntity,
    ['id', 'queue', 'tool', 'lane', 'virtualStart'],
    `WITH moved AS (${update} RETURNING jobs.id, queue, tool, lane, virtual_start, created_at)
     SELECT * FROM moved ORDER BY ${QUEUE_ORDER}`,
    parameters,
  );
