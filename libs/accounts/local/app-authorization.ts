import { mcp } from '@better-auth/mcp';
import type { BetterAuthPlugin } from 'better-auth';
import { createAuthMiddleware } from 'better-auth/api';
import { mcpAddress } from '#libs/config/mcp-address.js';
import { isLoopback } from '#libs/config/own-origins.js';
import { appScopes } from '#libs/contract/api-keys.js';

/** The page on which a user allows or refuses an app. */
export const CONNECT_PAGE = '/connect';

/** Calls of the provider that we do not offer: apps are listed and disconnected as API keys. */
export const APP_PATHS_OFF = [
  ...['create-client', 'get-client', 'get-clients', 'update-client', 'delete-client', 'client/rotate-secret'],
  ...[
    'get-consent',
    'get-consents',
    'update-consent',
    'delete-consent',
    'public-client-prelogin',
    'continue',
  ],
  ...['userinfo', 'introspect', 'end-session', 'end-session/confirm'],
].map((path) => `/oauth2/${path}`);

/** The metadata of RFC 8414 at this path names every call of the provider, also those that are off. */
export const APP_METADATA_PATH = '/.well-known/oauth-authorization-server';

/** Removes the introspection of tokens, which is off, from the metadata. */
export async function removeIntrospection(answer: Response): Promise<Response> {
  if (!answer.ok) return answer;
  const metadata = (await answer.json()) as Record<string, unknown>;
  const offered = Object.entries(metadata).filter(([name]) => !name.startsWith('introspection_'));
  return Response.json(Object.fromEntries(offered), { headers: answer.headers });
}

/** True if apps can sign users in: MCP allows no tokens over plain HTTP, except on this machine. */
export const canAuthorizeApps = (publicUrl: string) => {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' || isLoopback(hostname);
};

/**
 * The OAuth 2.1 server with which MCP clients sign users in: authorization code with PKCE, tokens for `/mcp` alone.
 * `@better-auth/mcp` 1.7.5, MIT, 0.7 MB with its provider: serves the metadata of RFC 8414 and 9728, and is of the same
 * authors as the accounts.
 */
export function appAuthorization(publicUrl: string, { isRegistrationOpen }: { isRegistrationOpen: boolean }) {
  if (!canAuthorizeApps(publicUrl)) return [];
  return [
    mcp({
      resource: mcpAddress(publicUrl),
      scopes: [...appScopes, 'offline_access'],
      grantTypes: ['authorization_code', 'refresh_token'],
      loginPage: CONNECT_PAGE,
      consentPage: CONNECT_PAGE,
      allowDynamicClientRegistration: isRegistrationOpen,
      allowUnauthenticatedClientRegistration: isRegistrationOpen,
      // There is one resource, whose address changes with PUBLIC_URL.
      enforcePerClientResources: false,
      clientPrivileges: () => false,
      resourcePrivileges: () => false,
      schema: {
        oauthClient: { modelName: 'auth_oauth_clients' },
        oauthResource: { modelName: 'auth_oauth_resources' },
        oauthClientResource: { modelName: 'auth_oauth_client_resources' },
        oauthRefreshToken: { modelName: 'auth_oauth_refresh_tokens' },
        oauthAccessToken: { modelName: 'auth_oauth_access_tokens' },
        oauthConsent: { modelName: 'auth_oauth_consents' },
        oauthClientAssertion: { modelName: 'auth_oauth_client_assertions' },
      },
    }),
    nativeApps,
  ];
}

/**
 * Registers an app whose browser returns to its own machine as `native` if it does not say what it is: MCP clients of 2025
 * do not. The default is `web`, which may not use such an address.
 */
const nativeApps = {
  id: 'native-apps',
  hooks: {
    before: [
      {
        matcher: ({ path }) => path === '/oauth2/register',
        handler: createAuthMiddleware(async ({ body }) => {
          const { application_type: type, redirect_uris: addresses } = (body ?? {}) as Record<
            string,
            unknown
          >;
          if (type !== undefined || !Array.isArray(addresses) || !addresses.some(isOfNativeApp)) return;
          return { context: { body: { application_type: 'native' } } };
        }),
      },
    ],
  },
} satisfies BetterAuthPlugin;

const isOfNativeApp = (address: unknown) => {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  return url !== null && (isLoopback(url.hostname) || !/^https?:$/.test(url.protocol));
};
