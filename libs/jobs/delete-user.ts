import type { DataSource, EntityManager } from 'typeorm';
import { row, rows } from '#libs/database/sql.js';
import type { StoredFiles } from '#libs/storage/stored-files.js';
import type { QueueName } from '#libs/contract/queues.js';

/** A job that was not over when its user was removed. */
export interface RemovedJob {
  id: string;
  queue: QueueName;
}

/**
 * Removes all rows of a user in one transaction, those of a local account included. The objects stay known to the
 * table, as nobody's, until their bytes are gone too. Removing somebody who is not there changes nothing.
 * @param note what else belongs into the transaction; runs first
 * @returns the jobs that a queue or a worker may still hold
 */
export async function deleteUser(
  dataSource: DataSource,
  files: StoredFiles,
  userId: string,
  note: (transaction: EntityManager) => Promise<void> = async () => undefined,
): Promise<RemovedJob[]> {
  return dataSource.transaction(async (transaction) => {
    await note(transaction);
    // Submissions hold this row too: none slips in between.
    await row(transaction, `SELECT FROM users WHERE id = $1 FOR UPDATE`, [userId]);
    const jobs = await rows<RemovedJob>(
      transaction,
      `SELECT id, queue FROM jobs WHERE user_id = $1 AND status IN ('queued', 'running')`,
      [userId],
    );
    await files.condemnAllOf(transaction, userId);
    await rows(
      transaction,
      `DELETE FROM auth_verifications WHERE value = $1 OR identifier = (SELECT email FROM auth_users WHERE id = $1)`,
      [userId],
    );
    await rows(transaction, `DELETE FROM auth_users WHERE id = $1`, [userId]);
    await rows(transaction, `DELETE FROM users WHERE id = $1`, [userId]);
    return jobs;
  });
}
