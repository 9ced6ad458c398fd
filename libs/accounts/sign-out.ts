import { CreationZipEntity } from '#libs/database/entities/creations.js';
import { AuthSessionEntity } from '#libs/database/entities/local-accounts.js';
import { AdminSessionEntity } from '#libs/database/entities/users.js';
import { execute, type Database } from '#libs/database/sql.js';
import { FORGET_TRUSTED_BROWSERS } from './second-factor.js';

/** Gives batches new keys of their download links: 43 characters, as `createKey` makes. */
const NEW_BATCH_LINKS = `UPDATE batches
  SET zip_key = left(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 43)`;

/**
 * Disconnects apps: without a consent, the access tokens that they have are refused. API keys stay.
 * @param condition SQL for the column of a user's id
 */
const disconnectApps = (condition: (column: string) => string) => [
  `DELETE FROM auth_oauth_access_tokens WHERE ${condition('"userId"')}`,
  `DELETE FROM auth_oauth_refresh_tokens WHERE ${condition('"userId"')}`,
  `DELETE FROM auth_oauth_consents WHERE ${condition('"userId"')}`,
  `UPDATE api_keys SET revoked_at = now()
     WHERE client_id IS NOT NULL AND revoked_at IS NULL AND ${condition('user_id')}`,
];

/** Disconnects the apps of all users. */
export const DISCONNECT_ALL_APPS = disconnectApps(() => 'true');

/** Disconnects the apps of the user `$1`. */
const DISCONNECT_APPS = disconnectApps((column) => `${column} = $1`);

/** Statements that end what is beside the sessions of local accounts: queue boards, links, apps, trust in browsers. */
export const SIGN_OUT_ALL = [
  `DELETE FROM admin_sessions`,
  `DELETE FROM creation_zips`,
  NEW_BATCH_LINKS,
  `DELETE FROM auth_verifications WHERE "identifier" LIKE 'trust-device-%'`,
  ...DISCONNECT_ALL_APPS,
];

/**
 * Ends the sessions, download links and connected apps of all local accounts and forgets all trusted browsers.
 * @returns the ended sessions
 */
export async function signOutAll(database: Database): Promise<{ id: string; userId: string }[]> {
  return database.transaction(async (transaction) => {
    const sessions = await transaction.findBy(AuthSessionEntity, {});
    for (const statement of [`DELETE FROM auth_sessions`, ...SIGN_OUT_ALL])
      await execute(transaction, statement);
    return sessions.map(({ id, userId }) => ({ id, userId }));
  });
}

/**
 * Ends all sessions, download links and connected apps of a user and forgets the trusted browsers.
 * @returns the ids of the ended sessions
 */
export async function signOutEverywhere(database: Database, userId: string): Promise<string[]> {
  return database.transaction(async (transaction) => {
    const sessions = await transaction.findBy(AuthSessionEntity, { userId });
    await transaction.delete(AuthSessionEntity, { userId });
    await transaction.delete(AdminSessionEntity, { userId });
    await transaction.delete(CreationZipEntity, { userId });
    await execute(transaction, `${NEW_BATCH_LINKS} WHERE user_id = $1`, [userId]);
    for (const statement of [FORGET_TRUSTED_BROWSERS, ...DISCONNECT_APPS])
      await execute(transaction, statement, [userId]);
    return sessions.map(({ id }) => id);
  });
}
