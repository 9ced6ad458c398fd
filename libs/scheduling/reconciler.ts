import { In } from 'typeorm';
import { z } from 'zod';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { queueNames, type QueueName } from '#libs/contract/jobs.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { queryColumns, queryRows, type Database } from '#libs/database/sql.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import { QUEUE_ORDER } from './fair-queueing.js';
import { IS_PREMIUM_OR_SLOWED, slotsOf } from './fair-shares.js';
import { toQueueEntry } from './queue-entry.js';

/** Maximum number of jobs that one pass adds to a queue. */
const BATCH = 500;
/**
 * Milliseconds for which an entry may stay delayed although its job may start. Short delays are normal, for example for
 * a user above the fair share.
 */
const DELAYED_TOO_LONG_MS = 2_500;
/**
 * Milliseconds for which a worker may hold an entry without running its job: before the claim, and after the job has
 * ended.
 */
const ACTIVE_TOO_LONG_MS = 10_000;
/** State of an entry whose job has ended. Such an entry is requeued, so that a worker removes it. */
const ENDED = { revision: -1, mayStart: true };

/**
 * Restores lost queue entries, so that every unfinished job without a running worker has one. Adding an existing entry
 * changes nothing, so passes may run at any time and in several processes.
 */
export class Reconciler {
  /**
   * Entries that were held back in the last pass although their jobs may start, with the time when this was first
   * noticed.
   */
  private readonly overdue = Object.fromEntries(
    queueNames.map((queue) => [queue, new Map<string, number>()]),
  ) as Record<QueueName, Map<string, number>>;

  constructor(
    private readonly dataSource: Database,
    private readonly queue: JobQueue,
    private readonly clock: Clock = systemClock,
  ) {}

  /**
   * Checks all queues. If a queue has fewer entries than the table has unfinished jobs, entries were lost, and jobs not
   * enqueued for 2 seconds are added. Otherwise only jobs not enqueued for a minute are added, as a precaution.
   * @returns number of entries added or requeued
   */
  async pass(): Promise<number> {
    let added = 0;
    for (const queue of queueNames) {
      added += await this.reconcile(queue);
      added += await this.requeueHeld(queue);
    }
    return added;
  }

  private async reconcile(queue: QueueName): Promise<number> {
    const unfinished = await this.dataSource
      .getRepository(JobEntity)
      .countBy({ queue, status: In(['queued', 'running']) });
    if (unfinished === 0) return 0;
    const hasLostEntries = (await this.queue.count(queue)) < unfinished;
    const jobs = await takeUnqueuedJobs(this.dataSource, queue, hasLostEntries ? 2 : 60);
    // UPDATE returns rows in no particular order, but jobs with equal priority run in the order in which they are
    // added.
    jobs.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    const delays = await readDelays(this.dataSource, jobs);
    await this.queue.add(jobs.map((job) => ({ ...toQueueEntry(job), delay: delays.get(job.id) })));
    return jobs.length;
  }

  /**
   * Requeues entries that the queue holds back longer than the job's row allows. Delays and locks of the queue depend
   * on the workers' clocks, so a wrong clock or a dead worker could hold an entry for hours. BullMQ's own check for
   * stalled workers depends on the same clocks.
   */
  private async requeueHeld(queue: QueueName): Promise<number> {
    const { delayed, active } = await this.queue.readUnavailable(queue);
    const ids = [...delayed, ...active];
    const jobs = ids.length > 0 ? await readHeldJobs(this.dataSource, ids) : [];
    const jobOf = new Map(jobs.map((job) => [job.id, job]));
    const now = this.clock.elapsed();
    const before = this.overdue[queue];
    const overdue = (this.overdue[queue] = new Map<string, number>());
    let requeued = 0;
    for (const [state, held, after] of [
      ['delayed', delayed, DELAYED_TOO_LONG_MS],
      ['active', active, ACTIVE_TOO_LONG_MS],
    ] as const) {
      for (const id of held) {
        const { revision, mayStart } = jobOf.get(id) ?? ENDED;
        if (!mayStart) continue;
        const key = `${state} ${id} ${revision}`;
        const since = before.get(key) ?? now;
        overdue.set(key, since);
        if (now - since < after) continue;
        await this.queue.requeue(queue, id);
        overdue.delete(key);
        requeued += 1;
      }
    }
    return requeued;
  }
}

/**
 * Marks and returns unfinished jobs that were not enqueued for `seconds` and have no running worker. Concurrent
 * processes get different jobs.
 */
const takeUnqueuedJobs = (database: Database, queue: QueueName, seconds: number) =>
  queryColumns(
    database,
    JobEntity,
    ['id', 'queue', 'tool', 'lane', 'virtualStart', 'createdAt', 'runAfter'],
    `UPDATE jobs SET enqueued_at = now() WHERE id IN (
       SELECT id FROM jobs
       WHERE queue = $1 AND (
         (status = 'queued' AND enqueued_at < now() - make_interval(secs => $2))
         OR (status = 'running' AND lease_until < now() AND enqueued_at < now() - interval '2 seconds'))
       ORDER BY ${QUEUE_ORDER} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     RETURNING id, queue, tool, lane, virtual_start, created_at, run_after`,
    [queue, seconds],
  );

/** Whole milliseconds, as BullMQ on PostgreSQL takes them, until each delayed job may start, by the database's clock. */
async function readDelays(
  database: Database,
  jobs: Pick<JobEntity, 'id' | 'runAfter'>[],
): Promise<Map<string, number>> {
  const waiting = jobs.filter(({ runAfter }) => runAfter !== null).map(({ id }) => id);
  if (waiting.length === 0) return new Map();
  const delays = await queryRows(
    database,
    z.object({ id: z.string(), seconds: z.number() }),
    `SELECT id, extract(epoch FROM run_after - now())::float AS seconds FROM jobs WHERE id = ANY ($1) AND run_after > now()`,
    [waiting],
  );
  return new Map(delays.map(({ id, seconds }) => [id, Math.ceil(seconds * 1_000)]));
}

/** Unfinished jobs among `ids`. `mayStart` is true if a worker could claim the job now: not while its slot is reserved. */
const readHeldJobs = (database: Database, ids: string[]) =>
  queryRows(
    database,
    z.object({ id: z.string(), revision: z.coerce.number(), mayStart: z.boolean() }),
    `SELECT id, revision, CASE status WHEN 'queued' THEN coalesce(run_after, now()) <= now()
         AND NOT (${IS_PREMIUM_OR_SLOWED} AND slots_are_reserved(queue, ${slotsOf('jobs.queue')}, 0))
       ELSE lease_until < now() END AS "mayStart"
     FROM jobs WHERE id = ANY ($1) AND status IN ('queued', 'running')`,
    [ids],
  );
