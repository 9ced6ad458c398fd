import { AuthSessionEntity } from '#libs/database/entities/local-accounts.js';
import { AdminSessionEntity } from '#libs/database/entities/users.js';
import { execute, type Database } from '#libs/database/sql.js';
import { FORGET_TRUSTED_BROWSERS } from './second-factor.js';

/** Ends the sessions of all local accounts and forgets all trusted browsers. @returns the ended sessions */
export async function signOutAll(database: Database): Promise<{ id: string; userId: string }[]> {
  return database.transaction(async (transaction) => {
    const sessions = await transaction.findBy(AuthSessionEntity, {});
    await execute(transaction, `DELETE FROM auth_sessions`);
    await execute(transaction, `DELETE FROM admin_sessions`);
    await execute(transaction, `DELETE FROM auth_verifications WHERE "identifier" LIKE 'trust-device-%'`);
    return sessions.map(({ id, userId }) => ({ id, userId }));
  });
}

/** Ends all sessions of a local account and forgets its trusted browsers. @returns the ids of the ended sessions */
export async function signOutEverywhere(database: Database, userId: string): Promise<string[]> {
  return database.transaction(async (transaction) => {
    const sessions = await transaction.findBy(AuthSessionEntity, { userId });
    await transaction.delete(AuthSessionEntity, { userId });
    await transaction.delete(AdminSessionEntity, { userId });
    await execute(transaction, FORGET_TRUSTED_BROWSERS, [userId]);
    return sessions.map(({ id }) => id);
  });
}
