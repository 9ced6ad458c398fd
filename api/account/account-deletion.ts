import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SocketServer } from '#libs/events/socket-server.js';
import { deleteUser } from '#libs/accounts/delete-user.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { StoredFiles } from '#libs/storage/stored-files.js';

@Injectable()
export class AccountDeletion {
  private readonly logger = new Logger('Account');

  constructor(
    private readonly dataSource: DataSource,
    private readonly files: StoredFiles,
    private readonly queue: JobQueue,
    private readonly sockets: SocketServer,
  ) {}

  /**
   * Deletes the rows in one transaction, after which no token is valid. Queue entries and objects are deleted afterwards;
   * if that fails, a worker drops entries without a row, and retention deletes the objects.
   * @param before runs first in the transaction
   */
  async delete(userId: string, before?: (transaction: EntityManager) => Promise<void>): Promise<void> {
    const jobs = await deleteUser(this.dataSource, this.files, userId, before);
    this.sockets.publish('user:deleted', userId);
    for (const { id } of jobs) {
      this.sockets.publish('job:cancelled', id);
      this.sockets.publish('job:ended', id);
    }
    this.sockets.disconnectUser(userId);
    await this.logFailure(() => Promise.all(jobs.map(({ id, queue }) => this.queue.remove(queue, id))));
    await this.logFailure(() => this.files.sweep());
  }

  private async logFailure(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn(`Cleaning up after an account was deleted failed: ${(error as Error).message}`);
    }
  }
}
