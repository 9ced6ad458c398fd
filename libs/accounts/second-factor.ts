import {
  AuthPasskeyEntity,
  AuthSessionEntity,
  AuthTwoFactorEntity,
  AuthUserEntity,
} from '#libs/database/entities/local-accounts.js';
import { AdminSessionEntity } from '#libs/database/entities/users.js';
import { execute, type Database } from '#libs/database/sql.js';

export interface SecondFactors {
  authenticatorApp: boolean;
  passkeys: number;
}

/** Whether a session of a local account has a second factor: the account has an app, or a passkey started the session. */
export async function hasSecondFactor(database: Database, sessionId: string): Promise<boolean> {
  return database
    .getRepository(AuthSessionEntity)
    .createQueryBuilder('session')
    .innerJoin(AuthUserEntity.options.name, 'user', 'user.id = session.userId')
    .where('session.id = :sessionId', { sessionId })
    .andWhere(`(user.twoFactorEnabled OR session.method = 'passkey')`)
    .getExists();
}

/** Ends the trust in all browsers of a user, so that the next sign-in asks for a code. */
export const FORGET_TRUSTED_BROWSERS = `DELETE FROM auth_verifications WHERE "value" = $1 AND "identifier" LIKE 'trust-device-%'`;

export async function readSecondFactors(database: Database, userId: string): Promise<SecondFactors> {
  return {
    authenticatorApp: await database
      .getRepository(AuthUserEntity)
      .existsBy({ id: userId, twoFactorEnabled: true }),
    passkeys: await database.getRepository(AuthPasskeyEntity).countBy({ userId }),
  };
}

/** Removes the app with its recovery codes, trusted browsers and passkeys of a user who is locked out. */
export async function removeSecondFactors(database: Database, userId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.update(AuthUserEntity, { id: userId }, { twoFactorEnabled: false });
    await transaction.delete(AuthTwoFactorEntity, { userId });
    await transaction.delete(AuthPasskeyEntity, { userId });
    await transaction.delete(AdminSessionEntity, { userId });
    await execute(transaction, FORGET_TRUSTED_BROWSERS, [userId]);
    // Without a passkey, sessions that one started no longer count as a second factor.
    await transaction.update(AuthSessionEntity, { userId }, { method: null });
  });
}
