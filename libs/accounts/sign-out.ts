import { CreationZipEntity } from '#libs/database/entities/creations.js';
import { AuthSessionEntity } from '#libs/database/entities/local-accounts.js';
import { AdminSessionEntity } from '#libs/database/entities/users.js';
import { execute, type Database } from '#libs/database/sql.js';
import { FORGET_TRUSTED_BROWSERS } from './second-factor.js';

/** Gives batches new keys of their download links: 43 characters, as `createKey` makes. */
const NEW_BATCH_LINKS = `UPDATE batches
  SET zip_key = left(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 43)`;

/** Statements that end what is beside the sessions of local accounts: queue boards, download links and the trust in browsers. */
export const SIGN_OUT_ALL = [
  `DELETE FROM admin_sessions`,
  `DELETE FROM creation_zips`,
  NEW_BATCH_LINKS,
  `DELETE FROM auth_verifications WHERE "identifier" LIKE 'trust-device-%'`,
];

/** Ends the sessions and download links of all local accounts and forgets all trusted browsers. @returns the ended sessions */
export async function signOutAll(database: Database): Promise<{ id: string; userId: string }[]> {
  return database.transaction(async (transaction) => {
    const sessions = await transaction.findBy(AuthSessionEntity, {});
    for (const statement of [`DELETE FROM auth_sessions`, ...SIGN_OUT_ALL])
      await execute(transaction, statement);
    return sessions.map(({ id, userId }) => ({ id, userId }));
  });
}

/** Ends all sessions and download links of a user and forgets the trusted browsers. @returns the ids of the ended sessions */
export async function signOutEverywhere(database: Database, userId: string): Promise<string[]> {
  return database.transaction(async (transaction) => {
    const sessions = await transaction.findBy(AuthSessionEntity, { userId });
    await transaction.delete(AuthSessionEntity, { userId });
    await transaction.delete(AdminSessionEntity, { userId });
    await transaction.delete(CreationZipEntity, { userId });
    await execute(transaction, `${NEW_BATCH_LINKS} WHERE user_id = $1`, [userId]);
    await execute(transaction, FORGET_TRUSTED_BROWSERS, [userId]);
    return sessions.map(({ id }) => id);
  });
}
