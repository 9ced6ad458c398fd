import type { DataSource, EntityManager } from 'typeorm';
import { row, rows } from '#libs/database/sql.js';
import type { JobQueue, QueueEntry } from '#libs/queue/job-queue.js';
import { lanes, TURNS_IN_LANE, type Lane } from '#libs/queue/priorities.js';
import { queueNames } from '#libs/contract/queues.js';
import type { QueueName } from '#libs/contract/queues.js';
import { readThroughputs, type Throughput } from './throughput.js';
import { ORDER, roundOf } from './turns.js';

/** Seconds between two passes. */
export const ORDER_EVERY = 2;
/** The share of a queue's slots that overdue jobs may have while premium ones wait. */
const OVERDUE_SHARE = 0.5;
/** Jobs that one pass puts in another place in one queue. */
const BATCH = 500;
/** Turns count up for as long as a lane is never empty; before its room ends they are counted from one again. */
const COUNT_ANEW_AT = TURNS_IN_LANE / 2;
/** Names our advisory lock; any number will do that nobody else uses on this database. */
const LOCK = 770_154;

interface Moved {
  id: string;
  queue: QueueName;
  tool: string;
  lane: Lane;
  virtual_start: number;
  created_at: Date;
}

/**
 * Keeps the order of the waiting just as time goes by, in the table and in the queue. One process at a time does it.
 */
export class QueueOrder {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: JobQueue,
    /** How long a standard job may wait while premium ones keep coming. */
    private readonly standardWaitSeconds: number,
  ) {}

  /** One pass over all queues. */
  async pass(): Promise<void> {
    const waiting = await rows<{ queue: QueueName }>(
      this.dataSource,
      `SELECT name AS queue FROM unnest($1::text[]) AS names(name)
       WHERE EXISTS (SELECT FROM jobs WHERE status = 'queued' AND queue = name)`,
      [queueNames],
    );
    if (waiting.length === 0) return;
    const throughputs = await readThroughputs(this.dataSource);
    for (const { queue } of waiting) await this.passOver(queue, throughputs.get(queue));
  }

  /** What the queue is told first is committed last: where either fails, the next pass does it again. */
  private async passOver(queue: QueueName, throughput: Throughput | undefined): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      const lock = await row<{ held: boolean }>(
        transaction,
        `SELECT pg_try_advisory_xact_lock(${LOCK}, $1) AS held`,
        [queueNames.indexOf(queue)],
      );
      if (!lock?.held) return;
      const moved = [
        ...(await this.moveUpOverdue(transaction, queue, throughput)),
        ...(await closeGaps(transaction, queue)),
        ...(await countAnew(transaction, queue)),
      ];
      await this.queue.reorder(moved.map(toEntry));
    });
  }

  /**
   * Lets standard jobs go first that have waited for half the time they may, as long as premium ones keep them from
   * their turn. They are taken in their own order, so few of one user that a flood stays behind others, and no more
   * than have ended by the next pass, so that half of all slots stay for premium jobs.
   */
  private moveUpOverdue(
    transaction: EntityManager,
    queue: QueueName,
    throughput: Throughput | undefined,
  ): Promise<Moved[]> {
    const share = Math.max(1, (throughput?.slots ?? 0) * OVERDUE_SHARE);
    const perSlot = Math.max(1, ORDER_EVERY / (throughput?.averageSeconds || ORDER_EVERY));
    return move(
      transaction,
      `UPDATE jobs SET lane = ${lanes.overdue} WHERE status = 'queued' AND id IN (
         SELECT id FROM (
           SELECT ${ORDER}, row_number() OVER (PARTITION BY user_id ORDER BY ${ORDER}) AS nth
           FROM jobs WHERE status = 'queued' AND queue = $1 AND lane = ${lanes.standard}
             AND created_at < now() - make_interval(secs => $2) AND (run_after IS NULL OR run_after <= now())
         ) overdue
         WHERE nth <= $3 AND EXISTS (
           SELECT FROM jobs WHERE status = 'queued' AND queue = $1 AND lane = ${lanes.premium})
         ORDER BY ${ORDER}
         LIMIT greatest(0, $4 - (SELECT count(*) FROM jobs
           WHERE queue = $1 AND lane = ${lanes.overdue}
             AND (status = 'running' OR (status = 'queued' AND (run_after IS NULL OR run_after <= now()))))))`,
      [queue, this.standardWaitSeconds / 2, Math.floor(share), Math.min(Math.ceil(share * perSlot), BATCH)],
    );
  }
}

/** The round of each lane of the queue $1. Without OFFSET, PostgreSQL would reckon it anew for each job. */
const ROUNDS = `(
  SELECT named.lane AS of_lane, ${roundOf('$1', 'named.lane')} AS round
  FROM (VALUES (${lanes.premium}), (${lanes.standard})) AS named(lane) OFFSET 0
) rounds`;

/** Moves jobs up whose user cancelled others before them: nobody's nth job waits for more than n rounds. */
function closeGaps(transaction: EntityManager, queue: QueueName): Promise<Moved[]> {
  return move(
    transaction,
    `UPDATE jobs SET virtual_start = gaps.due FROM (
       SELECT id, round + nth AS due FROM (
         SELECT ${ORDER}, round, row_number() OVER (PARTITION BY lane, user_id ORDER BY ${ORDER})::integer AS nth
         FROM jobs JOIN ${ROUNDS} ON of_lane = lane
         WHERE status = 'queued' AND queue = $1
       ) waiting WHERE virtual_start > round + nth ORDER BY nth LIMIT ${BATCH}
     ) gaps WHERE jobs.id = gaps.id AND status = 'queued'`,
    [queue],
  );
}

async function countAnew(transaction: EntityManager, queue: QueueName): Promise<Moved[]> {
  return move(
    transaction,
    `UPDATE jobs SET virtual_start = greatest(virtual_start - round, 0) FROM ${ROUNDS}
     WHERE of_lane = lane AND round > ${COUNT_ANEW_AT} AND status IN ('queued', 'running') AND queue = $1`,
    [queue],
  );
}

/** In the new order: entries of one turn are taken as the queue was told of them. */
async function move(transaction: EntityManager, update: string, parameters: unknown[]): Promise<Moved[]> {
  return rows<Moved>(
    transaction,
    `WITH moved AS (${update} RETURNING jobs.id, queue, tool, lane, virtual_start, created_at)
     SELECT * FROM moved ORDER BY ${ORDER}`,
    parameters,
  );
}

const toEntry = ({ id, queue, tool, lane, virtual_start: turn }: Moved): QueueEntry => ({
  jobId: id,
  queue,
  tool,
  lane,
  turn,
});
