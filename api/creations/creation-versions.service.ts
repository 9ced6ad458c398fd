import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Config } from '#libs/config/environment.js';
import { CONFIG } from '#libs/config/config.module.js';
import { creationNotFound, type Creation } from '#libs/contract/creations.js';
import {
  MAX_EDITED_VERSIONS,
  type CreationVersion,
  type NewVersion,
} from '#libs/contract/creation-versions.js';
import { AppError } from '#libs/contract/errors.js';
import {
  CreationEntity,
  CreationVersionEntity,
  StoredObjectEntity,
} from '#libs/database/entities/creations.js';
import { execute, queryColumns, queryEntity, type Database, type Transaction } from '#libs/database/sql.js';
import { hashRequest, idempotencyMismatch } from '#libs/jobs/idempotency.js';
import { JobEvents } from '#libs/jobs/job-events.js';
import { requireRoomForFile } from '#libs/jobs/storage-quota.js';
import { BadImageHeader, readImageHeader } from '#libs/local-engine/images/image-header.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { keyOf, pathOf, toUrl } from '#libs/storage/object-key.js';
import { ObjectMissing } from '#libs/storage/object-store.js';
import { markFilesForDeletion, StoredFiles, type NewFile } from '#libs/storage/stored-files.js';
import { Creations } from './creations.service.js';
import { readVersionPicture, type VersionPicture } from './version-picture.js';

type ImageCreation = Pick<CreationEntity, 'id' | 'tool' | 'type' | 'content' | 'createdAt'>;

const CUTTING_TOOL: ToolName = 'remove-image-background';

export interface ChangedVersion {
  version: CreationVersion;
  creation: Creation;
}

/** Enough for the header of what a tool of ours wrote. */
const HEADER_BYTES = 64 * 1024;
const ORIGINAL_LABEL = 'As it was made';

/** The versions of users' images. Those of other users are not found. */
@Injectable()
export class CreationVersions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly creations: Creations,
    private readonly files: StoredFiles,
    private readonly jobEvents: JobEvents,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Newest first. @throws AppError as {@link requireImage} does */
  async list(userId: string, creationId: string): Promise<CreationVersion[]> {
    const creation = await this.requireImage(userId, creationId);
    const versions = await this.dataSource.getRepository(CreationVersionEntity).find({
      where: { creationId },
      order: { number: 'DESC' },
    });
    return (versions.length > 0 ? versions : [await this.buildOriginalVersion(creation)]).map((one) =>
      this.toCreationVersion(one),
    );
  }

  /** @throws AppError NOT_FOUND; FORBIDDEN for a text */
  async requireImage(userId: string, creationId: string): Promise<ImageCreation> {
    return readImage(this.dataSource, userId, creationId);
  }

  /**
   * Saves a version, which the creation then shows.
   * @param file on disk; the caller removes it
   * @param key of the request: the same key names the same version
   * @throws AppError as {@link requireImage} does; VERSION_CONFLICT, IDEMPOTENCY_MISMATCH, STORAGE_FULL, UNREADABLE_IMAGE,
   *   UNAVAILABLE; StoreError
   */
  async add(
    userId: string,
    creationId: string,
    version: NewVersion,
    file: { path: string; type: string; sha256: string },
    key?: string,
  ): Promise<ChangedVersion> {
    const creation = await this.requireImage(userId, creationId);
    const { label, base, cutOut } = version;
    const request = key === undefined ? undefined : { key, hash: hashVersion(version, file.sha256) };
    const known = await findByRequest(this.dataSource, creationId, request);
    if (known) return this.toChangedVersion(userId, known);
    // Before the work of decoding; the transaction checks it again.
    await requireCurrent(this.dataSource, creationId, base);
    const original = await this.buildOriginalVersion(creation);
    const picture = await readVersionPicture(file);
    const stored = await this.storeFiles(userId, picture);
    let saved: { version: CreationVersionEntity; unused: string[] };
    try {
      saved = await this.dataSource.transaction((transaction) =>
        this.insert(transaction, userId, {
          creationId,
          original,
          base,
          label,
          cutOut,
          picture,
          request,
          ...stored,
        }),
      );
    } catch (error) {
      await this.files.remove(Object.values(stored)).catch(() => undefined);
      throw error;
    }
    await this.deleteFiles(saved.unused);
    void this.jobEvents.accountChanged(userId);
    void this.jobEvents.creationChanged(userId, creationId);
    return this.toChangedVersion(userId, saved.version);
  }

  /** Shows a version. @throws AppError NOT_FOUND */
  async restore(userId: string, creationId: string, id: string): Promise<ChangedVersion> {
    const version = await this.dataSource.transaction(async (transaction) => {
      const creation = await lockImage(transaction, userId, creationId);
      const found = await transaction.findOneBy(CreationVersionEntity, { creationId, id });
      if (found) {
        await makeCurrent(transaction, found);
        return found;
      }
      if (!(await isUnedited(transaction, creation, id))) throw versionNotFound();
      return undefined;
    });
    void this.jobEvents.creationChanged(userId, creationId);
    if (version) return this.toChangedVersion(userId, { ...version, isCurrent: true });
    const creation = await this.requireImage(userId, creationId);
    return this.toChangedVersion(userId, await this.buildOriginalVersion(creation));
  }

  /** Deletes a version for good. @throws AppError NOT_FOUND; FORBIDDEN for the one that is shown and the first */
  async delete(userId: string, creationId: string, id: string): Promise<void> {
    const keys = await this.dataSource.transaction(async (transaction) => {
      const creation = await lockImage(transaction, userId, creationId);
      const found = await transaction.findOneBy(CreationVersionEntity, { creationId, id });
      if (!found && !(await isUnedited(transaction, creation, id))) throw versionNotFound();
      if (!found || found.number === 1) {
        throw new AppError('FORBIDDEN', 'What the engine gave stays. Delete the creation to delete it.');
      }
      if (found.isCurrent) {
        throw new AppError('FORBIDDEN', 'This version is the one that is shown. Restore another one first.');
      }
      await transaction.delete(CreationVersionEntity, { id });
      return markFilesForDeletion(transaction, keysOf(found));
    });
    await this.deleteFiles(keys);
    void this.jobEvents.accountChanged(userId);
    void this.jobEvents.creationChanged(userId, creationId);
  }

  private async insert(
    transaction: Transaction,
    userId: string,
    version: {
      creationId: string;
      original: CreationVersionEntity;
      base: string;
      label: string;
      cutOut: boolean;
      picture: VersionPicture;
      imageKey: string;
      thumbnailKey: string;
      request: VersionRequest | undefined;
    },
  ): Promise<{ version: CreationVersionEntity; unused: string[] }> {
    const { creationId, original, base, label, cutOut, picture, imageKey, thumbnailKey, request } = version;
    await lockImage(transaction, userId, creationId);
    const known = await findByRequest(transaction, creationId, request);
    if (known) {
      const unused = await markFilesForDeletion(transaction, [imageKey, thumbnailKey]);
      return { version: known, unused };
    }
    await requireCurrent(transaction, creationId, base);
    const last = await transaction.maximum(CreationVersionEntity, 'number', { creationId });
    if (last === null) await transaction.insert(CreationVersionEntity, original);
    const added = transaction.create(CreationVersionEntity, {
      id: randomUUID(),
      creationId,
      number: (last ?? 1) + 1,
      label,
      isCurrent: false,
      isCutOut: cutOut,
      content: pathOf(imageKey),
      thumbnailKey,
      mediaType: picture.type,
      width: picture.width,
      height: picture.height,
      idempotencyKey: request?.key ?? null,
      requestHash: request?.hash ?? null,
      createdAt: new Date(),
    });
    await transaction.insert(CreationVersionEntity, added);
    await makeCurrent(transaction, added);
    return { version: { ...added, isCurrent: true }, unused: await deleteOldest(transaction, creationId) };
  }

  /** Stores the files of a version, which belong to nothing yet. */
  private async storeFiles(userId: string, { content, type, thumbnail }: VersionPicture) {
    const storeFile = (file: Pick<NewFile, 'type'> & { content: Buffer }) =>
      this.files.keep({
        ...{ userId, kind: 'version', name: '', ...file },
        requireRoom: (transaction) =>
          requireRoomForFile(transaction, this.config.storageQuota, userId, file.content.length),
      });
    const thumbnailKey = await storeFile({ type: 'image/webp', content: thumbnail });
    try {
      return { imageKey: await storeFile({ type, content }), thumbnailKey };
    } catch (error) {
      await this.files.remove([thumbnailKey]).catch(() => undefined);
      throw error;
    }
  }

  /** Retention deletes what the store does not let go now. */
  private async deleteFiles(keys: string[]): Promise<void> {
    await this.files.deleteMarked(keys).catch(() => undefined);
  }

  /** What the engine gave, of an image that was never edited. */
  private async buildOriginalVersion({
    id,
    tool,
    content,
    createdAt,
  }: ImageCreation): Promise<CreationVersionEntity> {
    const objects = await this.dataSource.getRepository(StoredObjectEntity).findBy({ creationId: id });
    const key = keyOf(content);
    return this.dataSource.getRepository(CreationVersionEntity).create({
      ...{ id, creationId: id, number: 1, label: ORIGINAL_LABEL, isCurrent: true, content, createdAt },
      isCutOut: tool === CUTTING_TOOL,
      thumbnailKey: objects.find(({ kind }) => kind === 'thumbnail')?.key ?? null,
      mediaType: objects.find((object) => object.key === key)?.type ?? null,
      ...(await this.readSize(key)),
      idempotencyKey: null,
      requestHash: null,
    });
  }

  private async readSize(key: string) {
    try {
      const { width, height } = await readImageHeader(await this.files.readStart(key, HEADER_BYTES));
      return { width, height };
    } catch (error) {
      if (error instanceof ObjectMissing || error instanceof BadImageHeader)
        return { width: null, height: null };
      throw error;
    }
  }

  private async toChangedVersion(userId: string, version: CreationVersionEntity): Promise<ChangedVersion> {
    return {
      version: this.toCreationVersion(version),
      creation: await this.creations.one(userId, version.creationId),
    };
  }

  private toCreationVersion(version: CreationVersionEntity): CreationVersion {
    const { id, number, label, createdAt, content, thumbnailKey, mediaType, width, height } = version;
    const { publicUrl } = this.config;
    return {
      ...{ id, number, label, width, height },
      createdAt: createdAt.toISOString(),
      content: toUrl(content, publicUrl),
      thumbnail: thumbnailKey && toUrl(pathOf(thumbnailKey), publicUrl),
      type: mediaType,
      original: number === 1,
      cutOut: version.isCutOut,
      current: version.isCurrent,
    };
  }
}

async function readImage(
  database: Database,
  userId: string,
  creationId: string,
  lock = '',
): Promise<ImageCreation> {
  const [creation] = await queryColumns(
    database,
    CreationEntity,
    ['id', 'tool', 'type', 'content', 'createdAt'],
    `SELECT id, tool, type, content, created_at FROM creations
     WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL ${lock}`,
    [creationId, userId],
  );
  if (!creation) throw creationNotFound();
  if (creation.type !== 'image') throw new AppError('FORBIDDEN', 'Only images have versions.');
  return creation;
}

/** Whatever changes versions locks the row of their creation first. */
const lockImage = (transaction: Transaction, userId: string, creationId: string) =>
  readImage(transaction, userId, creationId, 'FOR NO KEY UPDATE');

/** What a request with an Idempotency-Key sent. */
interface VersionRequest {
  key: string;
  hash: string;
}

const hashVersion = (version: NewVersion, sha256: string) =>
  hashRequest('version', version, [{ field: 'image', sha256 }]);

/** @throws AppError IDEMPOTENCY_MISMATCH where another request had the key */
async function findByRequest(
  database: Database,
  creationId: string,
  request: VersionRequest | undefined,
): Promise<CreationVersionEntity | undefined> {
  if (!request) return undefined;
  const found = await queryEntity(
    database,
    CreationVersionEntity,
    `SELECT * FROM creation_versions WHERE creation_id = $1 AND idempotency_key = $2`,
    [creationId, request.key],
  );
  if (found && found.requestHash !== request.hash) throw idempotencyMismatch();
  return found;
}

/** @throws AppError VERSION_CONFLICT unless the creation shows the version `base` */
async function requireCurrent(database: Database, creationId: string, base: string): Promise<void> {
  const found = await queryColumns(
    database,
    CreationVersionEntity,
    ['id'],
    `SELECT id FROM creation_versions WHERE creation_id = $1 AND is_current`,
    [creationId],
  );
  const current = found[0]?.id ?? creationId;
  if (current === base) return;
  throw new AppError(
    'VERSION_CONFLICT',
    'This image was changed elsewhere in the meantime. Nothing was saved or lost: look at the newer version, then save yours again.',
    { details: { current } },
  );
}

/** Whether `id` is the only version of a creation that was never edited. */
const isUnedited = async (transaction: Transaction, creation: ImageCreation, id: string): Promise<boolean> =>
  id === creation.id && !(await transaction.existsBy(CreationVersionEntity, { creationId: id }));

/** Shows a version: its content is that of the creation, and its files are what is published. */
async function makeCurrent(
  transaction: Transaction,
  { id, creationId, content, thumbnailKey }: CreationVersionEntity,
): Promise<void> {
  await execute(
    transaction,
    `UPDATE creation_versions SET is_current = false WHERE creation_id = $1 AND is_current AND id <> $2`,
    [creationId, id],
  );
  await transaction.update(CreationVersionEntity, { id }, { isCurrent: true });
  await execute(
    transaction,
    `UPDATE objects SET creation_id = $1,
       kind = CASE key WHEN $2 THEN 'image' WHEN $3 THEN 'thumbnail' ELSE 'version' END
     WHERE (creation_id = $1 OR key IN ($2, $3)) AND removed_at IS NULL`,
    [creationId, keyOf(content), thumbnailKey],
  );
  const shown = await execute(
    transaction,
    `SELECT FROM objects WHERE creation_id = $1 AND key = $2 AND kind = 'image'`,
    [creationId, keyOf(content)],
  );
  if (shown !== 1) throw new AppError('NOT_FOUND', 'The file of this version is gone.');
  await execute(transaction, `UPDATE creations SET content = $2 WHERE id = $1`, [creationId, content]);
}

/** Deletes the oldest edited versions that are too many. @returns the keys of their files */
async function deleteOldest(transaction: Transaction, creationId: string): Promise<string[]> {
  const deleted = await queryColumns(
    transaction,
    CreationVersionEntity,
    ['content', 'thumbnailKey'],
    `DELETE FROM creation_versions WHERE id IN (
       SELECT id FROM creation_versions WHERE creation_id = $1 AND number > 1 AND NOT is_current
       ORDER BY number DESC OFFSET ${MAX_EDITED_VERSIONS - 1})
     RETURNING content, thumbnail_key`,
    [creationId],
  );
  return markFilesForDeletion(transaction, deleted.flatMap(keysOf));
}

const keysOf = ({ content, thumbnailKey }: Pick<CreationVersionEntity, 'content' | 'thumbnailKey'>) =>
  thumbnailKey === null ? [keyOf(content)] : [keyOf(content), thumbnailKey];

export const versionNotFound = () => new AppError('NOT_FOUND', 'There is no such version.');
