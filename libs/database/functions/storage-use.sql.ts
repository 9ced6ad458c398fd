/** Bytes of a batch's row for one picture without its texts, with its part of the indexes. */
export const BATCH_ROW_BYTES = 200;

/**
 * Computes a user's storage use in bytes. Uploads without a job do not count. `deleted` are bytes that can be freed:
 * deleted creations and the originals of batches. For speed, versions are read only for
 * edited creations, of which most users have few.
 */
export const storageUse = `
  CREATE OR REPLACE FUNCTION storage_use(of_user text, OUT uploads bigint, OUT results bigint, OUT inputs bigint,
    OUT deleted bigint, OUT creations bigint)
  LANGUAGE plpgsql STABLE AS $$
  DECLARE
    texts record;
    versions record;
  BEGIN
    SELECT count(*) AS creations, coalesce(sum(bytes), 0) AS bytes,
        coalesce(sum(bytes) FILTER (WHERE is_deleted), 0) AS deleted_bytes,
        count(*) FILTER (WHERE is_deleted) AS deleted_creations,
        count(*) FILTER (WHERE is_edited) AS edited_creations
      INTO texts FROM (
        SELECT deleted_at IS NOT NULL AS is_deleted, content_revision > 1 AS is_edited,
          octet_length(prompt) + octet_length(content) + coalesce(pg_column_size(settings), 0) AS bytes
        FROM creations WHERE user_id = of_user) AS own;
    SELECT coalesce(sum(bytes) FILTER (WHERE kind = 'upload' AND job_id IS NOT NULL), 0),
        coalesce(sum(bytes) FILTER (WHERE kind <> 'upload'), 0) + texts.bytes,
        coalesce(sum(bytes) FILTER (WHERE kind = 'original'), 0) + texts.deleted_bytes
      INTO uploads, results, deleted FROM objects WHERE user_id = of_user;
    SELECT coalesce(sum(pg_column_size(input)), 0) INTO inputs
      FROM jobs WHERE user_id = of_user AND input IS NOT NULL;
    inputs := inputs + (
      SELECT coalesce(sum(octet_length(name) + octet_length(client_id) + ${BATCH_ROW_BYTES}), 0) FROM batches
        JOIN batch_items ON batch_items.batch_id = batches.id WHERE batches.user_id = of_user) + (
      SELECT coalesce(sum(pg_column_size(input)), 0) FROM batches WHERE user_id = of_user);
    creations := texts.creations;
    IF texts.edited_creations > 0 THEN
      SELECT coalesce(sum(octet_length(kept.content)), 0) AS bytes,
          coalesce(sum(octet_length(kept.content)) FILTER (WHERE edited.deleted_at IS NOT NULL), 0) AS deleted_bytes
        INTO versions FROM creations AS edited, LATERAL (
          SELECT content FROM creation_versions WHERE creation_id = edited.id
          UNION ALL SELECT content FROM creation_shares WHERE creation_id = edited.id) AS kept
        WHERE edited.user_id = of_user AND edited.content_revision > 1;
      results := results + versions.bytes;
      deleted := deleted + versions.deleted_bytes;
    END IF;
    IF texts.deleted_creations > 0 THEN
      deleted := deleted + (
        SELECT coalesce(sum(objects.bytes), 0) FROM creations AS gone JOIN objects ON objects.creation_id = gone.id
        WHERE gone.user_id = of_user AND gone.deleted_at IS NOT NULL AND objects.kind <> 'original');
    END IF;
  END $$`;
