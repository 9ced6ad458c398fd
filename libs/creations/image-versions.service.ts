import { reclaimStorage } from './deleted-results.js';
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Config, CONFIG } from '#libs/config/environment.js';
import type { NewVersion } from '#libs/contract/creation-versions.js';
import { AppError } from '#libs/contract/errors.js';
import { requireStorable } from '#libs/contract/validation.js';
import { CreationVersionEntity } from '#libs/database/entities/creations.js';
import { queryColumns, queryEntity, type Database, type Transaction } from '#libs/database/sql.js';
import { hashRequest, idempotencyMismatch } from '#libs/jobs/idempotency.js';
import { CreationEvents } from './creation-events.js';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { requireRoomForFile } from '#libs/billing/storage-quota.js';
import { PublicationCheck } from '#libs/publishing/publication-check.js';
import { pathOf } from '#libs/storage/object-key.js';
import { markFilesForDeletion, StoredFiles, type NewFile } from '#libs/storage/stored-files.js';
import { CreationVersions, type ChangedVersion } from './creation-versions.service.js';
import { OriginalVersions } from './original-versions.service.js';
import { Publications } from './publications.service.js';
import { readVersionPicture, type VersionPicture } from './version-picture.js';
import {
  deleteOldest,
  isImage,
  lockVersioned,
  makeCurrent,
  readWithoutText,
  type VersionedCreation,
} from './version-rows.js';

@Injectable()
export class ImageVersions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly versions: CreationVersions,
    private readonly originals: OriginalVersions,
    private readonly files: StoredFiles,
    private readonly creationEvents: CreationEvents,
    private readonly accountEvents: AccountEvents,
    private readonly publications: Publications,
    private readonly check: PublicationCheck,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws AppError NOT_FOUND, or FORBIDDEN if the creation is not an image */
  async requireImage(userId: string, creationId: string): Promise<VersionedCreation> {
    const creation = await readWithoutText(this.dataSource, userId, creationId);
    if (!isImage(creation)) throw new AppError('FORBIDDEN', 'Only images take an image as a version.');
    return creation;
  }

  /**
   * Saves an edited image as a new version and makes it current.
   * @param file local file, which the caller deletes
   * @param key idempotency key: a repeated request returns the same version
   * @throws AppError as {@link requireImage}; VERSION_CONFLICT, IDEMPOTENCY_MISMATCH, STORAGE_FULL, UNREADABLE_IMAGE,
   *   UNAVAILABLE; StoreError
   */
  async add(
    userId: string,
    creationId: string,
    version: NewVersion,
    file: { path: string; type: string; sha256: string },
    key?: string,
  ): Promise<ChangedVersion> {
    requireStorable(version);
    const creation = await this.requireImage(userId, creationId);
    const { label, base, cutOut } = version;
    const request = key === undefined ? undefined : { key, hash: hashVersion(version, file.sha256) };
    const known = await findByRequest(this.dataSource, creationId, request);
    if (known) return this.versions.toChangedVersion(userId, known);
    // Check before the expensive decoding; the transaction checks again.
    await requireCurrent(this.dataSource, creationId, base);
    const original = await this.originals.build(creation);
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
    await this.files.deleteMarked(saved.unused).catch(() => undefined);
    void this.accountEvents.accountChanged(userId);
    this.creationEvents.creationsChanged(userId, [creationId]);
    await this.publications.recheck(userId, creationId);
    return this.versions.toChangedVersion(userId, saved.version);
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
    const creation = await lockVersioned(transaction, userId, creationId);
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
      ...{ isNamed: false, session: null },
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
    await makeCurrent(transaction, creation, added, { isCheckNeeded: this.check.isNeeded });
    return { version: { ...added, isCurrent: true }, unused: await deleteOldest(transaction, creation) };
  }

  private async storeFiles(userId: string, { content, type, thumbnail }: VersionPicture) {
    const storeFile = (file: Pick<NewFile, 'type'> & { content: Buffer }) =>
      this.files.add({
        ...{ userId, kind: 'version', name: '', ...file },
        requireRoom: (transaction) =>
          requireRoomForFile(
            transaction,
            this.config.storageQuota,
            userId,
            file.content.length,
            reclaimStorage,
          ),
      });
    const thumbnailKey = await storeFile({ type: 'image/webp', content: thumbnail });
    try {
      return { imageKey: await storeFile({ type, content }), thumbnailKey };
    } catch (error) {
      await this.files.remove([thumbnailKey]).catch(() => undefined);
      throw error;
    }
  }
}

/** Identifies a request: its Idempotency-Key and the hash of its content. */
interface VersionRequest {
  key: string;
  hash: string;
}

const hashVersion = (version: NewVersion, sha256: string) =>
  hashRequest('version', version, [{ field: 'image', sha256 }]);

/**
 * Finds the version that a request with this Idempotency-Key saved.
 * @throws AppError IDEMPOTENCY_MISMATCH if the key was used for a different request
 */
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

/** @throws AppError VERSION_CONFLICT if `base` is not the current version */
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
