import { statements } from './migration.js';

/**
 * A job forgets the texts of a deleted creation, and an answer about a PDF no longer repeats its conversation. Deletes
 * what earlier versions kept of creations that were deleted.
 */
export class DeletedResults1700000000014 extends statements(
  `ALTER TABLE jobs ADD COLUMN result_deleted_at timestamptz`,
  `CREATE INDEX jobs_retry_of ON jobs (retry_of) WHERE retry_of IS NOT NULL`,
  `ALTER TABLE answer_cache ADD COLUMN job_ids uuid[] NOT NULL DEFAULT '{}'`,
  `UPDATE jobs SET input = NULL, result = result - 'chatHistory'
   WHERE status = 'succeeded' AND (input IS NOT NULL OR result ? 'chatHistory')`,
  // Creations that can be restored.
  `UPDATE jobs SET result_deleted_at = creations.deleted_at FROM creations
   WHERE creations.job_id = jobs.id AND creations.deleted_at IS NOT NULL`,
  // Creations that are gone, with the failed attempts at the same request.
  `WITH RECURSIVE family AS (
     SELECT id, retry_of FROM jobs
     WHERE status = 'succeeded' AND result ? 'creationId'
       AND NOT EXISTS (SELECT FROM creations WHERE job_id = jobs.id)
     UNION
     SELECT jobs.id, jobs.retry_of FROM family
     JOIN jobs ON jobs.id = family.retry_of OR jobs.retry_of = family.id
     WHERE jobs.status IN ('failed', 'cancelled'))
   UPDATE jobs SET title = '', partial = '', files = '{}', input = NULL,
     result = CASE WHEN result IS NOT NULL THEN '{}'::jsonb END,
     idempotency_key = NULL, request_hash = NULL, result_deleted_at = now()
   FROM family WHERE jobs.id = family.id`,
  // Which conversation these failed questions belong to is unknown, and they cannot be asked again.
  `DELETE FROM jobs WHERE tool = 'chat-with-pdf' AND status IN ('failed', 'cancelled') AND input IS NULL`,
  // Which job an answer was made for was not stored.
  `UPDATE answer_cache SET job_ids = ARRAY(
     SELECT job_id FROM creations
     WHERE user_id = answer_cache.user_id AND tool = answer_cache.tool AND job_id IS NOT NULL)`,
) {}
