import { getSessionFromCtx, type createAuthMiddleware } from 'better-auth/api';
import { bearer } from 'better-auth/plugins/bearer';

/** What a hook of better-auth is called with. */
export type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/**
 * The session of a cookie or a bearer token, as the call itself will find it. Hooks run before the bearer plugin's own
 * has turned the token into a cookie.
 */
export async function sessionOf(context: HookContext) {
  const { headers } = (await readBearer(context)) ?? context;
  return getSessionFromCtx<{ twoFactorEnabled?: boolean | null }, { method?: string | null }>({
    ...context,
    headers,
  });
}

/** The headers that the bearer plugin makes of a token; undefined without a good one. */
async function readBearer(context: HookContext): Promise<{ headers: Headers } | undefined> {
  for (const hook of bearer().hooks.before) {
    if (!hook.matcher(context)) continue;
    const result: { context: { headers: Headers } } | undefined = await hook.handler({
      ...context,
      returnHeaders: false,
    });
    return result?.context;
  }
  return undefined;
}

/** A field of a body or a query, if it is text. */
export function textOf(fields: unknown, name: string): string | undefined {
  const value = (fields as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}
