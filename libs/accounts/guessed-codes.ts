import type { GuessedCodes } from '#libs/contract/account.js';
import { AuthGuessedCodesEntity } from '#libs/database/entities/local-accounts.js';
import type { Database } from '#libs/database/sql.js';

/** SQL that records the last time when somebody with the password of the user `$1` entered too many wrong codes. */
export const RECORD_GUESSED_CODES = `INSERT INTO auth_guessed_codes ("userId", "network") VALUES ($1, $2)
  ON CONFLICT ("userId") DO UPDATE SET "at" = now(), "network" = excluded."network"`;

/** Null if there were none since the user dismissed them, and with Clerk. */
export async function readGuessedCodes(database: Database, userId: string): Promise<GuessedCodes | null> {
  const found = await database.getRepository(AuthGuessedCodesEntity).findOneBy({ userId });
  return found && { at: found.at.toISOString(), network: found.network };
}

export async function dismissGuessedCodes(database: Database, userId: string): Promise<void> {
  await database.getRepository(AuthGuessedCodesEntity).delete({ userId });
}
