import { creationNotFound } from '#libs/contract/creations.js';
import { MAX_EDITED_VERSIONS } from '#libs/contract/creation-versions.js';
import { AppError } from '#libs/contract/errors.js';
import { CreationEntity, CreationVersionEntity } from '#libs/database/entities/creations.js';
import { execute, queryColumns, type Database, type Transaction } from '#libs/database/sql.js';
import { editableTypes } from '#libs/tools/catalogue.js';
import { keyOf } from '#libs/storage/object-key.js';
import { markFilesForDeletion } from '#libs/storage/stored-files.js';
import { withdrawChanged } from './moderation.js';

/** Columns of a creation that its versions need. */
export type VersionedCreation = Pick<
  CreationEntity,
  'id' | 'tool' | 'type' | 'content' | 'contentRevision' | 'createdAt'
>;

export const isImage = ({ type }: Pick<CreationEntity, 'type'>) => type === 'image';

/**
 * Reads a creation that can have versions.
 * @throws AppError NOT_FOUND, or FORBIDDEN if creations of its type have no versions
 */
export const readVersioned = (database: Database, userId: string, creationId: string) =>
  selectVersioned(database, userId, creationId, 'content');

/** As {@link readVersioned}, with the content of images only: texts can have megabytes. */
export const readWithoutText = (database: Database, userId: string, creationId: string) =>
  selectVersioned(
    database,
    userId,
    creationId,
    `CASE WHEN type = 'image' THEN content ELSE '' END AS content`,
  );

async function selectVersioned(
  database: Database,
  userId: string,
  creationId: string,
  content: string,
  lock = '',
): Promise<VersionedCreation> {
  const [creation] = await queryColumns(
    database,
    CreationEntity,
    ['id', 'tool', 'type', 'content', 'contentRevision', 'createdAt'],
    `SELECT id, tool, type, ${content}, content_revision, created_at FROM creations
     WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL ${lock}`,
    [creationId, userId],
  );
  if (!creation) throw creationNotFound();
  if (!isImage(creation) && !editableTypes.has(creation.type))
    throw new AppError('FORBIDDEN', 'This creation cannot be edited, so it has no versions.');
  return creation;
}

/**
 * Locks a creation's row. Callers must do this before they change versions. @throws AppError, see {@link readVersioned}
 */
export const lockVersioned = (transaction: Transaction, userId: string, creationId: string) =>
  selectVersioned(transaction, userId, creationId, 'content', 'FOR NO KEY UPDATE');

/** True if `id` is the implicit original version of a creation that was never edited. */
export const isUnedited = async (
  transaction: Transaction,
  creation: VersionedCreation,
  id: string,
): Promise<boolean> =>
  id === creation.id && !(await transaction.existsBy(CreationVersionEntity, { creationId: id }));

/**
 * Makes a version current: copies its content to the creation and marks its files as the creation's files.
 * @param options.isCheckNeeded true to withdraw a published picture, which is then checked again
 */
export async function makeCurrent(
  transaction: Transaction,
  creation: VersionedCreation,
  { id, content, thumbnailKey }: CreationVersionEntity,
  { isCheckNeeded }: { isCheckNeeded: boolean },
): Promise<void> {
  await execute(
    transaction,
    `UPDATE creation_versions SET is_current = false WHERE creation_id = $1 AND is_current AND id <> $2`,
    [creation.id, id],
  );
  await transaction.update(CreationVersionEntity, { id }, { isCurrent: true });
  if (isImage(creation)) {
    await showFiles(transaction, creation.id, keyOf(content), thumbnailKey);
    if (isCheckNeeded && content !== creation.content) await withdrawChanged(transaction, creation.id);
  }
  await execute(
    transaction,
    `UPDATE creations SET content = $2, content_revision = content_revision + 1 WHERE id = $1 AND content <> $2`,
    [creation.id, content],
  );
}

async function showFiles(
  transaction: Transaction,
  creationId: string,
  key: string,
  thumbnailKey: string | null,
): Promise<void> {
  await execute(
    transaction,
    `UPDATE objects SET creation_id = $1,
       kind = CASE key WHEN $2 THEN 'image' WHEN $3 THEN 'thumbnail' ELSE 'version' END
     WHERE (creation_id = $1 AND kind <> 'original' OR key IN ($2, $3)) AND removed_at IS NULL`,
    [creationId, key, thumbnailKey],
  );
  const shown = await execute(
    transaction,
    `SELECT FROM objects WHERE creation_id = $1 AND key = $2 AND kind = 'image'`,
    [creationId, key],
  );
  if (shown !== 1) throw new AppError('NOT_FOUND', 'The file of this version was deleted.');
}

/**
 * Deletes edited versions above the limit: the oldest first, unnamed versions before named ones. @returns keys of their
 * files
 */
export async function deleteOldest(transaction: Transaction, creation: VersionedCreation): Promise<string[]> {
  const deleted = await queryColumns(
    transaction,
    CreationVersionEntity,
    ['content', 'thumbnailKey'],
    `DELETE FROM creation_versions WHERE id IN (
       SELECT id FROM creation_versions WHERE creation_id = $1 AND number > 1 AND NOT is_current
       ORDER BY is_named DESC, number DESC OFFSET ${MAX_EDITED_VERSIONS - 1})
     RETURNING content, thumbnail_key`,
    [creation.id],
  );
  return markFilesForDeletion(
    transaction,
    deleted.flatMap((version) => filesOf(creation, version)),
  );
}

export function filesOf(
  creation: Pick<CreationEntity, 'type'>,
  { content, thumbnailKey }: Pick<CreationVersionEntity, 'content' | 'thumbnailKey'>,
): string[] {
  if (!isImage(creation)) return [];
  return thumbnailKey === null ? [keyOf(content)] : [keyOf(content), thumbnailKey];
}

export const versionNotFound = () => new AppError('NOT_FOUND', 'There is no such version.');
