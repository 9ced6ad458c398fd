import type { DataSource } from 'typeorm';
import { rows } from '#libs/database/sql.js';
import type { StoredFiles } from '#libs/storage/stored-files.js';

/**
 * Removes what is kept no longer: inputs of ended jobs after seven days, deleted creations after 24 hours, what sign-in
 * left behind, and then the files that nothing needs any more.
 */
export async function applyRetention(dataSource: DataSource, files: StoredFiles): Promise<void> {
  await rows(
    dataSource,
    `UPDATE jobs SET input = NULL
     WHERE input IS NOT NULL AND finished_at < now() - interval '7 days'`,
  );
  await rows(dataSource, `DELETE FROM creations WHERE deleted_at < now() - interval '24 hours'`);
  await removeEndedSignIns(dataSource);
  await rows(dataSource, `DELETE FROM worker_slots WHERE seen_at < now() - interval '1 hour'`);
  await files.sweep();
}

/** Sessions, links and counts that are over, and after 30 days what guards against late events of Clerk's. */
async function removeEndedSignIns(dataSource: DataSource): Promise<void> {
  await rows(dataSource, `DELETE FROM auth_sessions WHERE "expiresAt" < now()`);
  await rows(dataSource, `DELETE FROM auth_verifications WHERE "expiresAt" < now()`);
  await rows(dataSource, `DELETE FROM auth_rate_limits WHERE expire < extract(epoch FROM now()) * 1000`);
  await rows(dataSource, `DELETE FROM clerk_events WHERE received_at < now() - interval '30 days'`);
  await rows(
    dataSource,
    `DELETE FROM clerk_removals WHERE user_id IS NULL AND removed_at < now() - interval '30 days'`,
  );
}
