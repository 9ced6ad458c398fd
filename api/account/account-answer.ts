import type { DataSource } from 'typeorm';
import type { Account } from '#libs/contract/account.js';
import { AppError } from '#libs/contract/errors.js';
import { readAccount } from '#libs/jobs/account.js';

/** A user's account as calls about it answer. @throws AppError `UNAUTHENTICATED` for nobody */
export async function accountAnswer(
  dataSource: DataSource,
  userId: string,
): Promise<{ success: true } & Account> {
  const account = await readAccount(dataSource, userId);
  if (!account) throw new AppError('UNAUTHENTICATED', 'This account no longer exists. Sign in again.');
  return { success: true, ...account };
}
