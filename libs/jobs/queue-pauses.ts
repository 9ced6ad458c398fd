import { rows, type Database } from '#libs/database/sql.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import { queueNames } from '#libs/contract/queues.js';
import type { QueueName } from '#libs/contract/queues.js';

export interface QueuePause {
  queue: QueueName;
  /** Why, in the operator's words; may be empty. */
  reason: string;
  pausedAt: Date;
}

/**
 * Queues that an operator holds: jobs are accepted and wait, and those at work go on. The table says which, and no job
 * of theirs is claimed; that the queue itself is told as well saves workers from looking at its entries in vain.
 */
export class QueuePauses {
  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly onError: (error: Error) => void,
  ) {}

  list(): Promise<QueuePause[]> {
    return rows<QueuePause>(
      this.database,
      `SELECT queue, reason, paused_at AS "pausedAt" FROM paused_queues ORDER BY queue`,
    );
  }

  async pause(queue: QueueName, reason: string): Promise<void> {
    await rows(
      this.database,
      `INSERT INTO paused_queues (queue, reason) VALUES ($1, $2) ON CONFLICT (queue) DO UPDATE SET reason = $2`,
      [queue, reason],
    );
    await this.queue.setPaused(queue, true).catch(this.onError);
  }

  async resume(queue: QueueName): Promise<void> {
    await rows(this.database, `DELETE FROM paused_queues WHERE queue = $1`, [queue]);
    await this.queue.setPaused(queue, false).catch(this.onError);
  }

  /** Tells the queue again what it may have lost, or was away for. Safe at any time, in any number of processes. */
  async agree(): Promise<void> {
    const paused = new Set((await this.list()).map(({ queue }) => queue));
    for (const queue of queueNames) await this.queue.setPaused(queue, paused.has(queue));
  }
}
