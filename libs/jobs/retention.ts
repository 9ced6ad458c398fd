import type { DataSource } from 'typeorm';
import { rows } from '#libs/database/sql.js';
import type { StoredFiles } from '#libs/storage/stored-files.js';

/**
 * Removes what is kept no longer: inputs of ended jobs after seven days, deleted creations after 24 hours, and then
 * the files that nothing needs any more.
 */
export async function applyRetention(dataSource: DataSource, files: StoredFiles): Promise<void> {
  await rows(
    dataSource,
    `UPDATE jobs SET input = NULL
     WHERE input IS NOT NULL AND finished_at < now() - interval '7 days'`,
  );
  await rows(dataSource, `DELETE FROM creations WHERE deleted_at < now() - interval '24 hours'`);
  await rows(dataSource, `DELETE FROM worker_slots WHERE seen_at < now() - interval '1 hour'`);
  await files.sweep();
}
