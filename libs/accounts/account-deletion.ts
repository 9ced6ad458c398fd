import type { DataSource } from 'typeorm';
import type { SocketServer } from '#libs/events/socket-server.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import type { StoredFiles } from '#libs/storage/stored-files.js';
import { deleteUser, type DeletionSteps } from './delete-user.js';

export class AccountDeletion {
  constructor(
    private readonly dataSource: DataSource,
    private readonly files: StoredFiles,
    private readonly queue: JobQueue,
    private readonly sockets: SocketServer,
    private readonly warn: (message: string) => void,
  ) {}

  /**
   * Deletes a user's rows in one transaction, which invalidates all tokens, then the user's queue entries and files. If
   * the latter fails, workers drop queue entries without a row, and retention deletes the files.
   */
  async delete(userId: string, steps?: DeletionSteps): Promise<void> {
    const jobs = await deleteUser(this.dataSource, this.files, userId, steps);
    this.sockets.publish('user:deleted', userId);
    for (const { id } of jobs) {
      this.sockets.publish('job:cancelled', id);
      this.sockets.publish('job:ended', id);
    }
    this.sockets.disconnectUser(userId);
    await this.warnOfFailure(() => Promise.all(jobs.map(({ id, queue }) => this.queue.remove(queue, id))));
    await this.warnOfFailure(async () => {
      await this.files.sweep();
      await steps?.filesDeleted?.();
    });
  }

  private async warnOfFailure(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.warn(`Cleaning up after an account was deleted failed: ${(error as Error).message}`);
    }
  }
}
