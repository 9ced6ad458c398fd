import type { DataSource } from 'typeorm';
import { row, rows } from '#libs/database/sql.js';
import type { JobQueue, QueueEntry } from '#libs/queue/job-queue.js';
import { queueNames } from '#libs/contract/queues.js';
import type { Lane } from '#libs/queue/priorities.js';
import type { QueueName } from '#libs/contract/queues.js';
import { ORDER } from './turns.js';

interface Unfinished {
  id: string;
  queue: QueueName;
  tool: string;
  lane: Lane;
  virtual_start: number;
  created_at: Date;
  delay_ms: number;
}

/** Jobs handed to the queue again in one pass of one queue. */
const BATCH = 500;

/**
 * Makes the queue agree with the job table: every unfinished job without a living worker has an entry. Adding an
 * entry that is there already changes nothing, so a pass is safe at any time and in any number of processes.
 */
export class Reconciler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: JobQueue,
  ) {}

  /**
   * One pass over all queues. A queue that holds as many entries as the table has unfinished jobs has lost none, and
   * only jobs that have waited for a minute are handed in again.
   * @returns how many entries were handed in
   */
  async pass(): Promise<number> {
    let handedIn = 0;
    for (const queue of queueNames) handedIn += await this.reconcile(queue);
    return handedIn;
  }

  private async reconcile(queue: QueueName): Promise<number> {
    const unfinished = await row<{ count: number }>(
      this.dataSource,
      `SELECT count(*)::integer AS count FROM jobs WHERE queue = $1 AND status IN ('queued', 'running')`,
      [queue],
    );
    if (!unfinished?.count) return 0;
    const lost = (await this.queue.count(queue)) < unfinished.count;
    const jobs = await rows<Unfinished>(
      this.dataSource,
      `UPDATE jobs SET enqueued_at = now() WHERE id IN (
         SELECT id FROM jobs
         WHERE queue = $1 AND (
           (status = 'queued' AND enqueued_at < now() - make_interval(secs => $2))
           OR (status = 'running' AND lease_until < now() AND enqueued_at < now() - interval '2 seconds'))
         ORDER BY ${ORDER} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING id, queue, tool, lane, virtual_start, created_at,
         greatest(0, extract(epoch FROM coalesce(run_after, now()) - now()) * 1000)::integer AS delay_ms`,
      [queue, lost ? 2 : 60],
    );
    await this.queue.add(jobs.sort(byOrder).map(toEntry));
    return jobs.length;
  }
}

/** Entries of one turn are taken as they were added, and an UPDATE gives its rows in any order. */
const byOrder = (a: Unfinished, b: Unfinished) => a.created_at.getTime() - b.created_at.getTime();

const toEntry = ({ id, queue, tool, lane, virtual_start: turn, delay_ms }: Unfinished): QueueEntry => ({
  jobId: id,
  queue,
  tool,
  lane,
  turn,
  delay: delay_ms || undefined,
});
