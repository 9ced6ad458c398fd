import { JobEntity } from '#libs/database/entities/jobs.js';
import { CreationEntity } from '#libs/database/entities/creations.js';
import { markCreationFilesForDeletion, markOriginalsForDeletion } from '#libs/storage/stored-files.js';
import { execute, queryColumns, queryEntities, type Database, type Transaction } from '#libs/database/sql.js';
import { deleteFlowsOf } from '#libs/flows/flow-steps.js';

/**
 * Marks job results as deleted or restored: those of the creations' jobs, and of jobs that rewrote parts of the
 * creations. Deleted results are not returned to users. Callers run it in the transaction that deletes or restores the
 * creations.
 * @returns the changed jobs
 */
export const updateResultsDeletedAt = (
  transaction: Transaction,
  creationIds: string[],
): Promise<JobEntity[]> =>
  queryEntities(
    transaction,
    JobEntity,
    `UPDATE jobs SET result_deleted_at = changed.deleted_at, revision = revision + 1 FROM (
       SELECT job_id AS id, deleted_at FROM creations WHERE id = ANY ($1)
       UNION ALL
       SELECT rewrites.id, creations.deleted_at FROM creations
       JOIN jobs rewrites ON rewrites.source_id = creations.id WHERE creations.id = ANY ($1)) changed
     WHERE jobs.id = changed.id AND jobs.result_deleted_at IS DISTINCT FROM changed.deleted_at
     RETURNING jobs.*`,
    [creationIds],
  );

/**
 * SQL condition: no unfinished job rewrites a part of the creation. Such a job would store its text after the deletion.
 */
const IS_LEFT_ALONE = `NOT EXISTS (
  SELECT FROM jobs WHERE source_id = creations.id AND status IN ('queued', 'running'))`;

/** Maximum number of creations deleted in one transaction. */
const CREATIONS_AT_ONCE = 500;

/** Permanently deletes creations whose time for restoring is over, and their texts in jobs and the answer cache. */
export async function deleteExpiredCreations(database: Database): Promise<void> {
  for (;;) {
    const deleted = await database.transaction(async (transaction) => {
      const ids = await lockCreations(
        transaction,
        `deleted_at < now() - interval '24 hours' AND ${IS_LEFT_ALONE} ORDER BY id LIMIT ${CREATIONS_AT_ONCE} FOR UPDATE SKIP LOCKED`,
      );
      await deleteCreations(transaction, ids);
      return ids.length;
    });
    if (deleted < CREATIONS_AT_ONCE) return;
  }
}

/**
 * Frees storage: deletes the originals of a user's batches, and permanently deletes the user's deleted creations, even if
 * they could still be restored. Locks them in the order of their ids, to avoid deadlocks.
 * @returns keys of files that the caller must delete after the commit
 */
export async function reclaimStorage(transaction: Transaction, userId: string): Promise<string[]> {
  const ids = await lockCreations(
    transaction,
    `user_id = $1 AND deleted_at IS NOT NULL AND ${IS_LEFT_ALONE} ORDER BY id FOR UPDATE`,
    [userId],
  );
  const keys = await deleteCreations(transaction, ids);
  return [...keys, ...(await markOriginalsForDeletion(transaction, { userId }))];
}

async function lockCreations(
  transaction: Transaction,
  which: string,
  parameters: unknown[] = [],
): Promise<string[]> {
  const found = await queryColumns(
    transaction,
    CreationEntity,
    ['id'],
    `SELECT id FROM creations WHERE ${which}`,
    parameters,
  );
  return found.map(({ id }) => id);
}

async function deleteCreations(transaction: Transaction, ids: string[]): Promise<string[]> {
  const files = await markCreationFilesForDeletion(transaction, ids);
  const deleted = await queryColumns(
    transaction,
    CreationEntity,
    ['jobId'],
    `DELETE FROM creations WHERE id = ANY ($1) RETURNING job_id`,
    [ids],
  );
  const rewrites = await queryColumns(
    transaction,
    JobEntity,
    ['id'],
    `SELECT id FROM jobs WHERE source_id = ANY ($1)`,
    [ids],
  );
  const jobIds = [...deleted.flatMap(({ jobId }) => jobId ?? []), ...rewrites.map(({ id }) => id)];
  await deleteTexts(transaction, jobIds);
  await deleteBatchTexts(transaction, jobIds);
  await deleteFlowsOf(transaction, jobIds);
  await execute(transaction, `DELETE FROM answer_cache WHERE job_ids && $1::uuid[]`, [jobIds]);
  return files;
}

/** Deletes inputs and results of jobs, and of the failed or cancelled jobs that these retried. */
async function deleteTexts(transaction: Transaction, jobIds: string[]): Promise<void> {
  await execute(
    transaction,
    `WITH RECURSIVE family AS (
       SELECT id, retry_of FROM jobs WHERE id = ANY ($1)
       UNION
       SELECT jobs.id, jobs.retry_of FROM family
       JOIN jobs ON jobs.id = family.retry_of OR jobs.retry_of = family.id
       WHERE jobs.status IN ('failed', 'cancelled'))
     UPDATE jobs SET title = '', partial = '', files = '{}', input = NULL,
       result = CASE WHEN result IS NOT NULL THEN '{}'::jsonb END,
       idempotency_key = NULL, request_hash = NULL,
       result_deleted_at = coalesce(result_deleted_at, now()), revision = revision + 1
     FROM family WHERE jobs.id = family.id`,
    [jobIds],
  );
}

/** Deletes the file names of the jobs' pictures from their batches. Deletes batches that have no names left. */
async function deleteBatchTexts(transaction: Transaction, jobIds: string[]): Promise<void> {
  await execute(
    transaction,
    `UPDATE batch_items SET name = '', client_id = n::text WHERE job_id = ANY ($1)`,
    [jobIds],
  );
  await execute(
    transaction,
    `DELETE FROM batches WHERE id IN (SELECT batch_id FROM batch_items WHERE job_id = ANY ($1))
       AND NOT EXISTS (SELECT FROM batch_items WHERE batch_id = batches.id AND NOT left_out AND name <> '')`,
    [jobIds],
  );
}
