import type { DataSource, EntityManager } from 'typeorm';
import { row, rows } from '#libs/database/sql.js';
import type { StoredFiles } from '#libs/storage/stored-files.js';
import type { QueueName } from '#libs/tools/define-tool.js';

/** A job that was not over when its person was removed. */
export interface RemovedJob {
  id: string;
  queue: QueueName;
}

/**
 * Removes all rows of a person in one transaction, those of a local account included. The objects stay known to the
 * table, as nobody's, until their bytes are gone too. Removing somebody who is not there changes nothing.
 * @param note what else belongs into the transaction; runs first
 * @returns the jobs that a queue or a worker may still hold
 */
export async function removePerson(
  dataSource: DataSource,
  files: StoredFiles,
  personId: string,
  note: (transaction: EntityManager) => Promise<void> = async () => undefined,
): Promise<RemovedJob[]> {
  return dataSource.transaction(async (transaction) => {
    await note(transaction);
    // Submissions hold this row too: none slips in between.
    await row(transaction, `SELECT FROM people WHERE id = $1 FOR UPDATE`, [personId]);
    const jobs = await rows<RemovedJob>(
      transaction,
      `SELECT id, queue FROM jobs WHERE person_id = $1 AND status IN ('queued', 'running')`,
      [personId],
    );
    await files.condemnAllOf(transaction, personId);
    await rows(
      transaction,
      `DELETE FROM auth_verifications WHERE value = $1 OR identifier = (SELECT email FROM auth_users WHERE id = $1)`,
      [personId],
    );
    await rows(transaction, `DELETE FROM auth_users WHERE id = $1`, [personId]);
    await rows(transaction, `DELETE FROM people WHERE id = $1`, [personId]);
    return jobs;
  });
}
