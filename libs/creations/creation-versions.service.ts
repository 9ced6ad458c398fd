import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type FindOptionsSelect } from 'typeorm';
import { type Config, CONFIG } from '#libs/config/environment.js';
import type { Creation } from '#libs/contract/creations.js';
import type { CreationVersion } from '#libs/contract/creation-versions.js';
import { AppError } from '#libs/contract/errors.js';
import { type CreationEntity, CreationVersionEntity } from '#libs/database/entities/creations.js';
import { CreationEvents } from './creation-events.js';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { PublicationCheck } from '#libs/publishing/publication-check.js';
import { pathOf, toUrl } from '#libs/storage/object-key.js';
import { markFilesForDeletion, StoredFiles } from '#libs/storage/stored-files.js';
import { Creations } from './creations.service.js';
import { OriginalVersions } from './original-versions.service.js';
import { Publications } from './publications.service.js';
import {
  filesOf,
  isImage,
  isUnedited,
  lockVersioned,
  makeCurrent,
  readVersioned,
  readWithoutText,
  versionNotFound,
} from './version-rows.js';

export interface ChangedVersion {
  version: CreationVersion;
  creation: Creation;
}

/** Columns of a list of texts, which can have megabytes. */
const COLUMNS_WITHOUT_CONTENT: FindOptionsSelect<CreationVersionEntity> = {
  ...{ id: true, number: true, label: true, createdAt: true, isNamed: true, isCutOut: true, isCurrent: true },
  ...{ thumbnailKey: true, mediaType: true, width: true, height: true },
};

/** Versions of creations. Creations of other users throw NOT_FOUND. */
@Injectable()
export class CreationVersions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly creations: Creations,
    private readonly originals: OriginalVersions,
    private readonly files: StoredFiles,
    private readonly creationEvents: CreationEvents,
    private readonly accountEvents: AccountEvents,
    private readonly publications: Publications,
    private readonly check: PublicationCheck,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Lists the versions, newest first; texts without their content. @throws AppError, see {@link readVersioned} */
  async list(userId: string, creationId: string): Promise<CreationVersion[]> {
    const creation = await readWithoutText(this.dataSource, userId, creationId);
    const versions = await this.dataSource.getRepository(CreationVersionEntity).find({
      where: { creationId },
      order: { number: 'DESC' },
      select: isImage(creation) ? undefined : COLUMNS_WITHOUT_CONTENT,
    });
    return (versions.length > 0 ? versions : [await this.originals.build(creation)]).map((one) =>
      this.toCreationVersion(creation, one),
    );
  }

  /** Returns a version with its content. @throws AppError NOT_FOUND */
  async one(userId: string, creationId: string, id: string): Promise<CreationVersion> {
    const creation = await readVersioned(this.dataSource, userId, creationId);
    const { manager } = this.dataSource;
    const found = await manager.findOneBy(CreationVersionEntity, { creationId, id });
    if (!found && !(await isUnedited(manager, creation, id))) throw versionNotFound();
    const version = found ?? (await this.originals.build(creation));
    return {
      ...this.toCreationVersion(creation, version),
      content: toUrl(version.content, this.config.publicUrl),
    };
  }

  /** Makes an earlier version the current one. @throws AppError NOT_FOUND */
  async restore(userId: string, creationId: string, id: string): Promise<ChangedVersion> {
    const version = await this.dataSource.transaction(async (transaction) => {
      const creation = await lockVersioned(transaction, userId, creationId);
      const found = await transaction.findOneBy(CreationVersionEntity, { creationId, id });
      if (found) {
        await makeCurrent(transaction, creation, found, { isCheckNeeded: this.check.isNeeded });
        return found;
      }
      if (!(await isUnedited(transaction, creation, id))) throw versionNotFound();
      return undefined;
    });
    this.creationEvents.creationsChanged(userId, [creationId]);
    await this.publications.recheck(userId, creationId);
    if (version) return this.toChangedVersion(userId, { ...version, isCurrent: true });
    const creation = await readVersioned(this.dataSource, userId, creationId);
    return this.toChangedVersion(userId, await this.originals.build(creation));
  }

  /** Names a version, so that it is kept. @throws AppError NOT_FOUND, or FORBIDDEN for the original version */
  async name(userId: string, creationId: string, id: string, label: string): Promise<CreationVersion> {
    const named = await this.dataSource.transaction(async (transaction) => {
      const creation = await lockVersioned(transaction, userId, creationId);
      const found = await transaction.findOneBy(CreationVersionEntity, { creationId, id });
      if (!found && !(await isUnedited(transaction, creation, id))) throw versionNotFound();
      if (!found || found.number === 1)
        throw new AppError('FORBIDDEN', 'What the engine gave keeps its name.');
      await transaction.update(CreationVersionEntity, { id }, { label, isNamed: true });
      return this.toCreationVersion(creation, { ...found, label, isNamed: true });
    });
    this.creationEvents.creationsChanged(userId, [creationId]);
    return named;
  }

  /** Deletes a version permanently. @throws AppError NOT_FOUND, or FORBIDDEN for the current and the original version */
  async delete(userId: string, creationId: string, id: string): Promise<void> {
    const keys = await this.dataSource.transaction(async (transaction) => {
      const creation = await lockVersioned(transaction, userId, creationId);
      const found = await transaction.findOneBy(CreationVersionEntity, { creationId, id });
      if (!found && !(await isUnedited(transaction, creation, id))) throw versionNotFound();
      if (!found || found.number === 1) {
        throw new AppError('FORBIDDEN', 'What the engine gave stays. Delete the creation to delete it.');
      }
      if (found.isCurrent) {
        throw new AppError('FORBIDDEN', 'This version is the one that is shown. Restore another one first.');
      }
      await transaction.delete(CreationVersionEntity, { id });
      return markFilesForDeletion(transaction, filesOf(creation, found));
    });
    await this.deleteFiles(keys);
    void this.accountEvents.accountChanged(userId);
    this.creationEvents.creationsChanged(userId, [creationId]);
  }

  /** Ignores failures, since retention deletes the remaining marked files later. */
  private async deleteFiles(keys: string[]): Promise<void> {
    await this.files.deleteMarked(keys).catch(() => undefined);
  }

  /** Response of the routes that change a version: the version and its creation. */
  async toChangedVersion(userId: string, version: CreationVersionEntity): Promise<ChangedVersion> {
    const creation = await this.creations.one(userId, version.creationId);
    return { version: this.toCreationVersion(creation, version), creation };
  }

  private toCreationVersion(
    creation: Pick<CreationEntity, 'type'>,
    version: CreationVersionEntity,
  ): CreationVersion {
    const { id, number, label, createdAt, content, thumbnailKey, mediaType, width, height } = version;
    const { publicUrl } = this.config;
    return {
      ...{ id, number, label, width, height },
      createdAt: createdAt.toISOString(),
      named: version.isNamed,
      content: isImage(creation) ? toUrl(content, publicUrl) : null,
      thumbnail: thumbnailKey && toUrl(pathOf(thumbnailKey), publicUrl),
      type: mediaType,
      original: number === 1,
      cutOut: version.isCutOut,
      current: version.isCurrent,
    };
  }
}
