import type { Account, Plan, Role } from '#libs/contract/account.js';
import { row, type Database } from '#libs/database/sql.js';
import { monthOf, toCredits, type MonthBalance } from './credits.js';

interface UserRow extends MonthBalance {
  plan: Plan;
  role: Role;
  name: string;
  email: string | null;
  image_url: string | null;
}

/** A user's plan, credits and profile as they stand now; undefined for nobody. */
export async function readAccount(database: Database, userId: string): Promise<Account | undefined> {
  const month = monthOf(new Date());
  const user = await row<UserRow>(
    database,
    `SELECT plan, role, name, email, image_url, granted, balance
     FROM users LEFT JOIN credit_balances ON user_id = users.id AND month = $2 WHERE users.id = $1`,
    [userId, month],
  );
  if (!user) return undefined;
  return {
    plan: user.plan,
    role: user.role,
    credits: toCredits(user, user.plan, month),
    profile: { id: userId, fullName: user.name, email: user.email, imageUrl: user.image_url },
  };
}
