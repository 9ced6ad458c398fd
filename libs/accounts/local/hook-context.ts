import { getIP, getSessionFromCtx, type createAuthMiddleware } from 'better-auth/api';
import { bearer } from 'better-auth/plugins/bearer';

export type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/**
 * Reads the session from the request's cookie or bearer token. Handles the bearer token itself, because our hooks run before
 * the hook of the bearer plugin, which converts the token to a cookie.
 */
export async function sessionOf(context: HookContext) {
  const { headers } = (await readBearer(context)) ?? context;
  return getSessionFromCtx<{ twoFactorEnabled?: boolean | null }, { method?: string | null }>({
    ...context,
    headers,
  });
}

/** The request's headers with the cookie that the bearer plugin derives from a token; undefined without a valid token. */
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

/** The client's IPv4 address or IPv6 network. */
export const networkOf = ({ request, headers, context }: HookContext): string =>
  getIP(request ?? headers ?? new Headers(), context.options) ?? 'unknown';

export function textOf(fields: unknown, name: string): string | undefined {
  const value = (fields as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}
