import type { Account } from '#libs/contract/account.js';
import { defaultPrices, type Prices } from '#libs/config/prices.js';
import { CreditBalanceEntity } from '#libs/database/entities/credits.js';
import { UserEntity } from '#libs/database/entities/users.js';
import type { Database } from '#libs/database/sql.js';
import { readStorageUse, type StorageQuota } from './storage-quota.js';
import { monthOf, toCredits } from './credits.js';
import { readUserLimits } from './user-limits.js';

export async function readAccount(
  database: Database,
  userId: string,
  quota: StorageQuota,
  prices: Prices = defaultPrices,
  now: Date = new Date(),
): Promise<Account | undefined> {
  const user = await database.getRepository(UserEntity).findOneBy({ id: userId });
  if (!user) return undefined;
  const { plan, role, name, email, imageUrl } = user;
  const month = monthOf(now);
  const balance = await database.getRepository(CreditBalanceEntity).findOneBy({ userId, month });
  return {
    plan,
    role,
    credits: toCredits(balance, plan, month, prices.grants.free),
    storage: await readStorageUse(database, quota, user),
    limits: await readUserLimits(database, userId),
    profile: { id: userId, fullName: name, email, imageUrl },
  };
}
