import type { Repository } from 'typeorm';
import { queueNames, type QueueName } from '#libs/contract/jobs.js';
import { PausedQueueEntity } from '#libs/database/entities/jobs.js';
import type { Database } from '#libs/database/sql.js';
import type { JobQueue } from '#libs/queue/job-queue.js';

/**
 * Queues that an operator has paused: new jobs wait, running jobs continue. The table is authoritative: no job of a
 * paused queue can be claimed. The BullMQ queue is paused only so that workers don't read its entries in vain.
 */
export class QueuePauses {
  private readonly paused: Repository<PausedQueueEntity>;

  constructor(
    database: Database,
    private readonly queue: JobQueue,
    private readonly onError: (error: Error) => void,
  ) {
    this.paused = database.getRepository(PausedQueueEntity);
  }

  list(): Promise<PausedQueueEntity[]> {
    return this.paused.find({ order: { queue: 'ASC' } });
  }

  async pause(queue: QueueName, reason: string): Promise<void> {
    await this.paused.upsert({ queue, reason }, ['queue']);
    await this.queue.setPaused(queue, true).catch(this.onError);
  }

  async resume(queue: QueueName): Promise<void> {
    await this.paused.delete({ queue });
    await this.queue.setPaused(queue, false).catch(this.onError);
  }

  /** Pauses and resumes BullMQ queues to match the table. Safe to call at any time and from several processes. */
  async sync(): Promise<void> {
    const paused = new Set((await this.list()).map(({ queue }) => queue));
    for (const queue of queueNames) await this.queue.setPaused(queue, paused.has(queue));
  }
}
