import type { Repository } from 'typeorm';
import { queueNames, type QueueName } from '#libs/contract/jobs.js';
import { PausedQueueEntity } from '#libs/database/entities/jobs.js';
import type { Database } from '#libs/database/sql.js';
import type { JobQueue } from '#libs/queue/job-queue.js';

/**
 * Queues paused by an operator: new jobs wait, running jobs continue. The table decides: no job of a paused queue is
 * claimed. The BullMQ queue is paused too, only to save workers from reading its entries.
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

  /** Pauses and resumes the BullMQ queues to match the table. Safe at any time, in any number of processes. */
  async sync(): Promise<void> {
    const paused = new Set((await this.list()).map(({ queue }) => queue));
    for (const queue of queueNames) await this.queue.setPaused(queue, paused.has(queue));
  }
}
