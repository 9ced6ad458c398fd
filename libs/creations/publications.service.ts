import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { creationNotFound, type Creation, type Publication } from '#libs/contract/creations.js';
import { AppError } from '#libs/contract/errors.js';
import { moderationReason } from '#libs/contract/moderation.js';
import { CreationEntity } from '#libs/database/entities/creations.js';
import { CreationModerationEntity } from '#libs/database/entities/moderation.js';
import type { Transaction } from '#libs/database/sql.js';
import { CreationEvents } from './creation-events.js';
import { Creations } from './creations.service.js';
import { requireNotTakenDown } from './takedown.js';
import { isImage } from './version-rows.js';

/** Publishes images of users in the community. */
@Injectable()
export class Publications {
  constructor(
    private readonly dataSource: DataSource,
    private readonly creations: Creations,
    private readonly creationEvents: CreationEvents,
  ) {}

  /**
   * Publishes or unpublishes an image.
   * @throws AppError NOT_FOUND, or FORBIDDEN if the creation is not an image or an operator hid it
   */
  async change(userId: string, id: string, { publish, caption, author }: Publication): Promise<Creation> {
    await this.dataSource.transaction(async (transaction) => {
      await lockOwn(transaction, userId, id, publish);
      await transaction.update(
        CreationEntity,
        { id },
        { published: publish, publishedCaption: caption ?? null, publishedAuthor: author ?? null },
      );
      if (!publish)
        await transaction.update(CreationModerationEntity, { creationId: id }, { isWanted: false });
    });
    this.creationEvents.creationsChanged(userId, [id]);
    return this.creations.one(userId, id);
  }
}

/** @throws AppError NOT_FOUND; FORBIDDEN if it is to be published and cannot be */
async function lockOwn(
  transaction: Transaction,
  userId: string,
  id: string,
  publish: boolean,
): Promise<CreationEntity> {
  const creation = await transaction.findOne(CreationEntity, {
    where: { id, userId },
    lock: { mode: 'for_no_key_update' },
  });
  if (!creation || creation.deletedAt) throw creationNotFound();
  if (!publish) return creation;
  await requireNotTakenDown(transaction, id);
  const known = await transaction.findOneBy(CreationModerationEntity, { creationId: id });
  if (known?.state === 'hidden')
    throw new AppError('FORBIDDEN', `It is hidden. ${moderationReason(known.cause, known.reason)}`);
  if (!isImage(creation)) throw new AppError('FORBIDDEN', 'Only images can be published.');
  return creation;
}
