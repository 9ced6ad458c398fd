import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '#libs/config/environment.js';
import type { Creation } from '#libs/contract/creations.js';
import type { Edit } from '#libs/contract/creation-versions.js';
import { AppError } from '#libs/contract/errors.js';
import { CreationVersionEntity } from '#libs/database/entities/creations.js';
import type { Transaction } from '#libs/database/sql.js';
import { CreationEvents } from './creation-events.js';
import { RoomForTexts } from '#libs/billing/storage-quota.js';
import { Creations } from './creations.service.js';
import { NO_IMAGE, OriginalVersions } from './original-versions.service.js';
import { deleteOldest, isImage, lockVersioned, makeCurrent, type VersionedCreation } from './version-rows.js';

const EDITED_LABEL = 'Edited';

@Injectable()
export class TextEdits {
  private readonly room: RoomForTexts;

  constructor(
    private readonly dataSource: DataSource,
    private readonly creations: Creations,
    private readonly originals: OriginalVersions,
    private readonly creationEvents: CreationEvents,
    @Inject(CONFIG) { storageQuota }: Config,
  ) {
    this.room = new RoomForTexts(storageQuota);
  }

  /**
   * Saves the whole text. If the new text equals the stored text, succeeds for any revision: the client probably
   * repeats a request whose response was lost.
   * @param revision revision on which the edit is based
   * @throws AppError NOT_FOUND; FORBIDDEN for images; VERSION_CONFLICT if the text has another revision; STORAGE_FULL
   *   if the text grows or a version is added
   */
  async save(userId: string, creationId: string, revision: number, edit: Edit): Promise<Creation> {
    await this.dataSource.transaction(async (transaction) => {
      const creation = await lockVersioned(transaction, userId, creationId);
      if (isImage(creation)) throw new AppError('FORBIDDEN', 'Only texts are edited so.');
      if (creation.content === edit.content) return;
      if (creation.contentRevision !== revision) throw conflict(creation.contentRevision);
      await makeCurrent(transaction, creation, await this.saveVersion(transaction, userId, creation, edit), {
        isCheckNeeded: false,
      });
      await deleteOldest(transaction, creation);
    });
    this.creationEvents.creationsChanged(userId, [creationId]);
    return this.creations.one(userId, creationId);
  }

  /** Updates the version of the same editing session, or adds a version. */
  private async saveVersion(
    transaction: Transaction,
    userId: string,
    creation: VersionedCreation,
    { content, session, label = EDITED_LABEL }: Edit,
  ): Promise<CreationVersionEntity> {
    const creationId = creation.id;
    const [latest] = await transaction.find(CreationVersionEntity, {
      where: { creationId },
      order: { number: 'DESC' },
      take: 1,
    });
    const [before, now] = [Buffer.byteLength(creation.content), Buffer.byteLength(content)];
    if (latest?.isCurrent && latest.session === session && !latest.isNamed) {
      // Twice the growth, since the text is stored both in the version and in the creation.
      await this.room.require(transaction, userId, 2 * (now - before));
      await transaction.update(CreationVersionEntity, { id: latest.id }, { content, createdAt: new Date() });
      return { ...latest, content };
    }
    await this.room.require(transaction, userId, 2 * now - (latest ? before : 0));
    if (!latest) await transaction.insert(CreationVersionEntity, await this.originals.build(creation));
    const added = transaction.create(CreationVersionEntity, {
      ...{ id: randomUUID(), creationId, content, session, label },
      number: (latest?.number ?? 1) + 1,
      ...{ isNamed: false, isCurrent: false, isCutOut: false, idempotencyKey: null, requestHash: null },
      ...NO_IMAGE,
      createdAt: new Date(),
    });
    await transaction.insert(CreationVersionEntity, added);
    return added;
  }
}

const conflict = (revision: number) =>
  new AppError(
    'VERSION_CONFLICT',
    'This text was changed elsewhere in the meantime. Nothing was saved or lost: look at the newer text, then save yours again.',
    { details: { revision } },
  );
