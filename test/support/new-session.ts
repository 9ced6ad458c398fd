import { randomUUID } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';

/** Runs a statement on the product's database. */
type Run = (sql: string, parameters: unknown[]) => Promise<unknown>;

/**
 * Stores an account of this server with a session, as a sign-up does. The hash of a password is made once (passwords.ts).
 * @returns the user's id, and the session's token, for `GET /api/auth/token`
 */
export async function newSession(
  run: Run,
  { name, email, password }: { name: string; email: string; password: string },
): Promise<{ userId: string; token: string }> {
  const [userId, token] = [randomUUID(), randomUUID()];
  await run(
    `WITH "user" AS (
       INSERT INTO auth_users ("id", "name", "email", "emailVerified") VALUES ($1, $2, $3, false) RETURNING "id"
     ), account AS (
       INSERT INTO auth_accounts ("id", "accountId", "providerId", "userId", "password", "updatedAt")
       SELECT $4, "id", 'credential', "id", $5, now() FROM "user"
     )
     INSERT INTO auth_sessions ("id", "token", "userId", "expiresAt", "updatedAt")
     SELECT $6, $7, "id", now() + interval '30 days', now() FROM "user"`,
    [userId, name, email, randomUUID(), await hashPassword(password), randomUUID(), token],
  );
  return { userId, token };
}
