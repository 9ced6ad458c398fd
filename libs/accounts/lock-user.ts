import { AppError } from '#libs/contract/errors.js';
import { UserEntity } from '#libs/database/entities/users.js';
import type { Transaction } from '#libs/database/sql.js';

/**
 * Locks the user's row until the transaction ends, to serialize concurrent changes of one user's data.
 * @returns null if the account was deleted
 */
export const lockUserIfPresent = (transaction: Transaction, userId: string): Promise<UserEntity | null> =>
  transaction.findOne(UserEntity, { where: { id: userId }, lock: { mode: 'for_no_key_update' } });

/** Like {@link lockUserIfPresent}. @throws AppError UNAUTHENTICATED if the account was deleted */
export async function lockUser(transaction: Transaction, userId: string): Promise<UserEntity> {
  const user = await lockUserIfPresent(transaction, userId);
  if (!user) throw accountDeleted();
  return user;
}

export const accountDeleted = () =>
  new AppError('UNAUTHENTICATED', 'This account no longer exists. Sign in again.');
