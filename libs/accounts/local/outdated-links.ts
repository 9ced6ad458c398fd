import { randomBytes, randomUUID } from 'node:crypto';
import type { BetterAuthOptions } from 'better-auth';
import { createAuthMiddleware } from 'better-auth/api';
import { jwtVerify, type JWTPayload } from 'jose';
import type pg from 'pg';
import { execute, type Database } from '#libs/database/sql.js';
import { textOf } from './hook-context.js';
import { LINK_LIFETIME } from './mail-options.js';

/**
 * Rejects links in mails that were sent before the last change of the password, in case the user changed the password
 * because somebody else can read these mails.
 */
export function refuseOutdatedLinks(pool: pg.Pool): NonNullable<BetterAuthOptions['hooks']>['before'] {
  return createAuthMiddleware(async ({ path, body, query, context: { secret } }) => {
    const isOutdated = async (sql: string, parameters: unknown[]) =>
      (await pool.query(sql, parameters)).rows.length > 0;
    if (path === '/reset-password') {
      const token = textOf(body, 'token') ?? textOf(query, 'token');
      if (token && /^\w+$/.test(token) && (await isOutdated(OUTDATED_RESET, [`${RESET_PREFIX}${token}`])))
        return { context: { body: { ...(body as object), token: INVALID_TOKEN } } };
    }
    if (path === '/verify-email') {
      const { email, updateTo, iat } = await claimsOf(textOf(query, 'token') ?? '', secret);
      if (updateTo !== undefined && (await isOutdated(OUTDATED_ADDRESS_CHANGE, [email, iat])))
        return { context: { query: { ...(query as object), token: INVALID_TOKEN } } };
    }
    return;
  });
}

export async function deleteResetLinks(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query(
    `DELETE FROM auth_verifications WHERE "value" = $1 AND "identifier" LIKE '${RESET_PREFIX}%'`,
    [userId],
  );
}

/** Creates a token with which a user may choose a new password once within an hour. For servers that send no mail. */
export async function createResetToken(database: Database, userId: string): Promise<string> {
  const token = randomBytes(24).toString('hex');
  await execute(
    database,
    `INSERT INTO auth_verifications ("id", "identifier", "value", "expiresAt")
     VALUES ($1, $2, $3, now() + interval '${LINK_LIFETIME} seconds')`,
    [randomUUID(), `${RESET_PREFIX}${token}`, userId],
  );
  return token;
}

const RESET_PREFIX = 'reset-password:';
const INVALID_TOKEN = 'outdated';

const OUTDATED_RESET = `SELECT FROM auth_verifications v JOIN auth_accounts a ON a."userId" = v."value"
  WHERE v."identifier" = $1 AND a."updatedAt" > v."createdAt"`;

/** Adds a second, because `iat` of a token is rounded down to whole seconds. */
const OUTDATED_ADDRESS_CHANGE = `SELECT FROM auth_users u JOIN auth_accounts a ON a."userId" = u."id"
  WHERE u."email" = $1 AND a."updatedAt" > to_timestamp($2 + 1)`;

/** Verifies a token that this server signed. @returns its claims; empty for any other token */
async function claimsOf(token: string, secret: string): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, new TextEncoder().encode(secret), { algorithms: ['HS256'] })).payload;
  } catch {
    return {};
  }
}
