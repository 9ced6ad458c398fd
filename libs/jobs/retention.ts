import type { DataSource } from 'typeorm';
import { rows } from '#libs/database/sql.js';

/** Removes what is kept no longer: inputs of ended jobs after seven days, deleted creations after 24 hours. */
export async function applyRetention(dataSource: DataSource): Promise<void> {
  await rows(
    dataSource,
    `UPDATE jobs SET input = NULL
     WHERE input IS NOT NULL AND finished_at < now() - interval '7 days'`,
  );
  await rows(dataSource, `DELETE FROM creations WHERE deleted_at < now() - interval '24 hours'`);
  await rows(dataSource, `DELETE FROM worker_slots WHERE seen_at < now() - interval '1 hour'`);
}
