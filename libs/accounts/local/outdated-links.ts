import type { BetterAuthOptions } from 'better-auth';
import { createAuthMiddleware } from 'better-auth/api';
import { jwtVerify, type JWTPayload } from 'jose';
import type pg from 'pg';

/**
 * Takes links of mails that were made before the password was changed last for wrong ones: whoever changes it because
 * somebody else could read their mails wants none of those to open the account any more.
 */
export function refuseOutdatedLinks(pool: pg.Pool): NonNullable<BetterAuthOptions['hooks']>['before'] {
  return createAuthMiddleware(async ({ path, body, query, context: { secret } }) => {
    const isOutdated = async (sql: string, parameters: unknown[]) =>
      (await pool.query(sql, parameters)).rows.length > 0;
    if (path === '/reset-password') {
      const token = textOf(body, 'token') ?? textOf(query, 'token');
      if (token && /^\w+$/.test(token) && (await isOutdated(RESET, [`${RESET_LINK}${token}`])))
        return { context: { body: { ...(body as object), token: WRONG } } };
    }
    if (path === '/verify-email') {
      const { email, updateTo, iat } = await claimsOf(textOf(query, 'token') ?? '', secret);
      if (updateTo !== undefined && (await isOutdated(CHANGE_OF_ADDRESS, [email, iat])))
        return { context: { query: { ...(query as object), token: WRONG } } };
    }
    return;
  });
}

/** Drops the links by which somebody may set a new password. */
export async function forgetResetLinks(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query(
    `DELETE FROM auth_verifications WHERE "value" = $1 AND "identifier" LIKE '${RESET_LINK}%'`,
    [userId],
  );
}

/** What better-auth begins the name of such a link with. */
const RESET_LINK = 'reset-password:';
const WRONG = 'outdated';

const RESET = `SELECT FROM auth_verifications v JOIN auth_accounts a ON a."userId" = v."value"
  WHERE v."identifier" = $1 AND a."updatedAt" > v."createdAt"`;

/** Tokens tell the second alone in which they were made. */
const CHANGE_OF_ADDRESS = `SELECT FROM auth_users u JOIN auth_accounts a ON a."userId" = u."id"
  WHERE u."email" = $1 AND a."updatedAt" > to_timestamp($2 + 1)`;

function textOf(fields: unknown, name: string): string | undefined {
  const value = (fields as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** None for a token that we did not make. */
async function claimsOf(token: string, secret: string): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, new TextEncoder().encode(secret), { algorithms: ['HS256'] })).payload;
  } catch {
    return {};
  }
}
