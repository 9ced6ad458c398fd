import { execute, type Database } from '#libs/database/sql.js';

/** No attempt of a job runs longer. */
export const LOST_AFTER_MINUTES = 60;
export const PROVIDER_CALL_DAYS = 90;

/** Ends calls whose worker died, unless a later attempt of their job has done so. */
export async function endLostCalls(database: Database): Promise<void> {
  await execute(
    database,
    `SELECT end_lost_calls(ARRAY(
       SELECT id FROM provider_calls
       WHERE status = 'running' AND started_at < now() - make_interval(mins => ${LOST_AFTER_MINUTES})
       ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED))`,
  );
}
