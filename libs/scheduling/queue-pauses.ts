import { queueNames, type QueueName } from '#libs/contract/jobs.js';
import { PausedQueueEntity } from '#libs/database/entities/jobs.js';
import { execute, type Database, type Transaction } from '#libs/database/sql.js';
import type { JobQueue } from '#libs/queue/job-queue.js';

/** `changed` is false if the queue was in the state before. */
type InTransaction = (transaction: Transaction, changed: boolean) => Promise<void>;

/**
 * Queues that an operator has paused: new jobs wait, running jobs continue. The table is authoritative: no job of a
 * paused queue can be claimed. The BullMQ queue is paused only so that workers don't read its entries in vain.
 */
export class QueuePauses {
  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly onError: (error: Error) => void,
  ) {}

  list(): Promise<PausedQueueEntity[]> {
    return this.database.getRepository(PausedQueueEntity).find({ order: { queue: 'ASC' } });
  }

  /**
   * A paused queue keeps its reason.
   * @param also runs in the transaction of the change, as with {@link resume}
   */
  async pause(queue: QueueName, reason: string, also?: InTransaction): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const changed = await execute(
        transaction,
        `INSERT INTO paused_queues (queue, reason) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
        [queue, reason],
      );
      await also?.(transaction, changed === 1);
    });
    await this.queue.setPaused(queue, true).catch(this.onError);
  }

  async resume(queue: QueueName, also?: InTransaction): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const { affected } = await transaction.delete(PausedQueueEntity, { queue });
      await also?.(transaction, affected === 1);
    });
    await this.queue.setPaused(queue, false).catch(this.onError);
  }

  /** Pauses and resumes BullMQ queues to match the table. Safe to call at any time and from several processes. */
  async sync(): Promise<void> {
    const paused = new Set((await this.list()).map(({ queue }) => queue));
    for (const queue of queueNames) await this.queue.setPaused(queue, paused.has(queue));
  }
}
