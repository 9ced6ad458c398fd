import { IsNull, Not } from 'typeorm';
import { AppError } from '#libs/contract/errors.js';
import { because } from '#libs/contract/text.js';
import { UserEntity } from '#libs/database/entities/users.js';
import { queryColumns, type Database, type Transaction } from '#libs/database/sql.js';

/** SQL: the suspension of the user `$1`, if there is one. */
export const SUSPENSION = `SELECT suspended_reason FROM users WHERE id = $1 AND suspended_at IS NOT NULL`;

/** @throws AppError ACCOUNT_SUSPENDED if an operator has suspended the user */
export async function requireActive(database: Database, userId: string): Promise<void> {
  const [user] = await queryColumns(database, UserEntity, ['suspendedReason'], SUSPENSION, [userId]);
  if (user) throw accountSuspended(user.suspendedReason);
}

export const suspensionMessage = (reason: string | null) =>
  `This account is suspended${because(reason)} Write to whoever runs this server.`;

export const accountSuspended = (reason: string | null) =>
  new AppError('ACCOUNT_SUSPENDED', suspensionMessage(reason));

/**
 * Suspends a user. The caller ends the sessions and publishes `user:suspended` after the commit.
 * @returns false if the user was suspended before; the reason stays
 */
export async function suspend(
  transaction: Transaction,
  userId: string,
  reason: string | null,
): Promise<boolean> {
  const { affected } = await transaction.update(
    UserEntity,
    { id: userId, suspendedAt: IsNull() },
    { suspendedAt: new Date(), suspendedReason: reason },
  );
  return affected === 1;
}

/** @returns false if the user was not suspended */
export async function unsuspend(transaction: Transaction, userId: string): Promise<boolean> {
  const { affected } = await transaction.update(
    UserEntity,
    { id: userId, suspendedAt: Not(IsNull()) },
    { suspendedAt: null, suspendedReason: null },
  );
  return affected === 1;
}
