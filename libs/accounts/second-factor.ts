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

/** True if the user of a local account has an authenticator app, or started this session with a passkey. */
export async function hasSecondFactor(database: Database, sessionId: string): Promise<boolean> {
  return database
    .getRepository(AuthSessionEntity)
    .createQueryBuilder('session')
    .innerJoin(AuthUserEntity.options.name, 'user', 'user.id = session.userId')
    .where('session.id = :sessionId', { sessionId })
    .andWhere(`(user.twoFactorEnabled OR session.method = 'passkey')`)
    .getExists();
}

/** Forgets all trusted browsers of a user, so the next sign-in requires a code. */
export const FORGET_TRUSTED_BROWSERS = `DELETE FROM auth_verifications WHERE "value" = $1 AND "identifier" LIKE 'trust-device-%'`;

export async function readSecondFactors(database: Database, userId: string): Promise<SecondFactors> {
  return {
    authenticatorApp: await database
      .getRepository(AuthUserEntity)
      .existsBy({ id: userId, twoFactorEnabled: true }),
    passkeys: await database.getRepository(AuthPasskeyEntity).countBy({ userId }),
  };
}

/** Removes authenticator app, recovery codes, trusted browsers and passkeys of a user who can't sign in without them. */
export async function removeSecondFactors(database: Database, userId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.update(AuthUserEntity, { id: userId }, { twoFactorEnabled: false });
    await transaction.delete(AuthTwoFactorEntity, { userId });
    await transaction.delete(AuthPasskeyEntity, { userId });
    await transaction.delete(AdminSessionEntity, { userId });
    await execute(transaction, FORGET_TRUSTED_BROWSERS, [userId]);
    // Sessions that a passkey started no longer count as having a second factor.
    await transaction.update(AuthSessionEntity, { userId }, { method: null });
  });
}
