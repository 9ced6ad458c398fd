import { In, type DataSource } from 'typeorm';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { queueNames, type QueueName } from '#libs/contract/queues.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { queryColumns, type Database } from '#libs/database/sql.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import { QUEUE_ORDER } from './fair-queueing.js';
import { toQueueEntry } from './queue-entry.js';

/** Jobs added to the queue again in one pass of one queue. */
const BATCH = 500;

/**
 * Adds jobs to the queue again whose entry was lost: every unfinished job without a living worker has an entry. Adding
 * an entry that exists changes nothing, so a pass is safe at any time and in any number of processes.
 */
export class Reconciler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: JobQueue,
    private readonly clock: Clock = systemClock,
  ) {}

  /**
   * One pass over all queues. A queue that holds as many entries as the table has unfinished jobs has lost none, and
   * only jobs that have waited for a minute are added again.
   * @returns how many entries were added
   */
  async pass(): Promise<number> {
    let added = 0;
    for (const queue of queueNames) added += await this.reconcile(queue);
    return added;
  }

  private async reconcile(queue: QueueName): Promise<number> {
    const unfinished = await this.dataSource
      .getRepository(JobEntity)
      .countBy({ queue, status: In(['queued', 'running']) });
    if (unfinished === 0) return 0;
    const hasLostEntries = (await this.queue.count(queue)) < unfinished;
    const jobs = await takeUnqueuedJobs(this.dataSource, queue, hasLostEntries ? 2 : 60);
    // An UPDATE returns its rows in any order, and entries of the same virtual start time are taken as they were added.
    jobs.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    await this.queue.add(jobs.map((job) => ({ ...toQueueEntry(job), delay: this.delayOf(job) })));
    return jobs.length;
  }

  private delayOf({ runAfter }: Pick<JobEntity, 'runAfter'>): number | undefined {
    const delay = (runAfter?.getTime() ?? 0) - this.clock.now();
    return delay > 0 ? delay : undefined;
  }
}

/** Jobs that wait or lost their worker and were not added to the queue for `seconds`; no other process gets the same. */
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
