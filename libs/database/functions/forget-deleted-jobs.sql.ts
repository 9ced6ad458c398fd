/**
 * Trigger that sets `creations.job_id` of deleted jobs to NULL and deletes their previews. It replaces foreign keys, which
 * cannot refer to the id of a partitioned table. A partition that is dropped runs no trigger: see `libs/creations/retention.ts`.
 */
export const forgetDeletedJobs = `
  CREATE OR REPLACE FUNCTION forget_deleted_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE creations SET job_id = NULL FROM deleted_jobs WHERE creations.job_id = deleted_jobs.id;
    DELETE FROM job_previews USING deleted_jobs WHERE job_previews.job_id = deleted_jobs.id;
    RETURN NULL;
  END $$`;
