import { AppError } from '#libs/contract/errors.js';
import { because } from '#libs/contract/text.js';
import { CreationEntity, CreationShareEntity } from '#libs/database/entities/creations.js';
import { CreationModerationEntity } from '#libs/database/entities/moderation.js';
import { queryColumns, type Database, type Transaction } from '#libs/database/sql.js';
import { closeReports, hide, lockCreation } from './moderation.js';

/** @throws AppError FORBIDDEN if an operator has taken the creation down */
export async function requireNotTakenDown(database: Database, id: string): Promise<void> {
  const [creation] = await queryColumns(
    database,
    CreationEntity,
    ['takenDownReason'],
    `SELECT taken_down_reason FROM creations WHERE id = $1 AND taken_down_at IS NOT NULL`,
    [id],
  );
  if (!creation) return;
  throw new AppError(
    'FORBIDDEN',
    `Whoever runs this server has taken this down${because(creation.takenDownReason)} It cannot be published or shared again.`,
  );
}

/**
 * Ends the publication and the share link of a creation, keeps them from being made again, and closes its reports. If it was
 * taken down before, the first reason stays, and an appeal against it stays open.
 * @returns the creation's user, whether it could be seen by others, and whether anything changed
 * @throws AppError NOT_FOUND
 */
export async function takeDown(
  transaction: Transaction,
  id: string,
  reason: string | null,
): Promise<{ userId: string; wasPublic: boolean; changed: boolean }> {
  const creation = await lockCreation(transaction, id);
  if (creation.takenDownAt) return { userId: creation.userId, wasPublic: false, changed: false };
  await hide(transaction, creation, { cause: 'operator', reason });
  // A restored creation is not published again by itself, since its link is gone too.
  await transaction.update(CreationModerationEntity, { creationId: id }, { isWanted: false });
  await transaction.update(CreationEntity, { id }, { takenDownAt: new Date(), takenDownReason: reason });
  await closeReports(transaction, id);
  const { affected } = await transaction.delete(CreationShareEntity, { creationId: id });
  return { userId: creation.userId, wasPublic: creation.published || (affected ?? 0) > 0, changed: true };
}
