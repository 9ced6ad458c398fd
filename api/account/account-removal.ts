import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SocketServer } from '#libs/events/socket-server.js';
import { deleteUser, type RemovedJob } from '#libs/jobs/delete-user.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { StoredFiles } from '#libs/storage/stored-files.js';

/** Removes a user with everything that is theirs. */
@Injectable()
export class AccountRemoval {
  private readonly logger = new Logger('Account');

  constructor(
    private readonly dataSource: DataSource,
    private readonly files: StoredFiles,
    private readonly queue: JobQueue,
    private readonly live: SocketServer,
  ) {}

  /**
   * The rows go in one transaction; from then on nothing can be read and no token is good. What follows may fail, and
   * is then made up for: objects by retention, queue entries when a worker finds no row to them.
   * @param note what else belongs into the transaction; runs first
   */
  async remove(userId: string, note?: (transaction: EntityManager) => Promise<void>): Promise<void> {
    const jobs = await deleteUser(this.dataSource, this.files, userId, note);
    this.live.publish('user:removed', userId);
    for (const { id } of jobs) {
      this.live.publish('job:cancelled', id);
      this.live.publish('job:ended', id);
    }
    this.live.disconnectUser(userId);
    await this.tryTo(() => this.dequeue(jobs));
    await this.tryTo(() => this.files.sweep());
  }

  private async dequeue(jobs: RemovedJob[]): Promise<void> {
    await Promise.all(jobs.map(({ id, queue }) => this.queue.remove(queue, id)));
  }

  private async tryTo(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn(`Left for later, after an account was removed: ${(error as Error).message}`);
    }
  }
}
