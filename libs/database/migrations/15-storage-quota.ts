import { statements } from './migration.js';

/** What the storage of a user is counted by: uploads name their job. */
export class StorageQuota1700000000015 extends statements(
  `UPDATE objects SET job_id = files.job_id
   FROM (SELECT jobs.id AS job_id, file.value AS key
         FROM jobs, jsonb_each_text(jobs.files) AS file WHERE jobs.files <> '{}') AS files
   WHERE objects.key = files.key AND objects.kind = 'upload' AND objects.job_id IS NULL
     AND objects.removed_at IS NULL`,
  `CREATE INDEX jobs_inputs ON jobs (user_id) WHERE input IS NOT NULL`,
  // Small, and enough to find the oldest jobs: rows are stored nearly in the order of their time.
  `CREATE INDEX jobs_age ON jobs USING brin (created_at)`,
) {}
