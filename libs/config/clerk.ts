import { createPublicKey } from 'node:crypto';
import { ConfigurationError } from './configuration-error.js';
import { ownOrigins } from './own-origins.js';
import type { Variables } from './variables.js';

/** Reads the `CLERK_` variables. @returns null if none is set @throws ConfigurationError, without the variables' values */
export function readClerk(v: Variables, publicUrl: string) {
  const { CLERK_PUBLISHABLE_KEY: publishableKey, CLERK_SECRET_KEY: secretKey } = v;
  if (!publishableKey || !secretKey) {
    refuseOtherVariables(v);
    return null;
  }
  const frontendApi = readFrontendApi(publishableKey);
  if (!/^sk_(test|live)_\S+$/.test(secretKey))
    throw new ConfigurationError(
      'CLERK_SECRET_KEY must hold the secret key of the Clerk application: it starts with sk_test_ or sk_live_.',
    );
  if (publishableKey.slice(3, 7) !== secretKey.slice(3, 7))
    throw new ConfigurationError(
      'CLERK_SECRET_KEY and CLERK_PUBLISHABLE_KEY must be of the same instance: one is for development (_test_), the other for production (_live_).',
    );
  const proxyUrl = v.CLERK_PROXY_URL ?? null;
  return {
    kind: 'clerk' as const,
    publishableKey,
    secretKey,
    /** The origin of Clerk's API for browsers, such as `https://clerk.example.com`. Read from the publishable key. */
    frontendApi,
    /** A proxy that browsers use instead of `frontendApi`: a URL, or a path on our own origin. */
    proxyUrl,
    issuers: [frontendApi, ...(proxyUrl ? [new URL(proxyUrl, publicUrl).href.replace(/\/$/, '')] : [])],
    /** Accepted values of a session token's `azp` claim: the origins of our web app. */
    authorizedParties: v.CLERK_AUTHORIZED_PARTIES ?? ownOrigins(publicUrl),
    /** The PEM public key of session tokens; null if the keys must be fetched from Clerk. */
    jwtKey: v.CLERK_JWT_KEY === undefined ? null : readPublicKey(v.CLERK_JWT_KEY),
    /** OAuth applications of Clerk whose tokens may call `/mcp`. */
    oauthClients: v.CLERK_OAUTH_CLIENTS ?? [],
    webhookSecret: v.CLERK_WEBHOOK_SIGNING_SECRET ?? null,
    premiumPlan: v.CLERK_PREMIUM_PLAN ?? 'premium',
    apiUrl: (v.CLERK_API_URL ?? 'https://api.clerk.com').replace(/\/+$/, ''),
  };
}

export type ClerkConfig = NonNullable<ReturnType<typeof readClerk>>;

function refuseOtherVariables(v: Variables): void {
  const given = (Object.keys(v) as (keyof Variables)[]).filter(
    (name) => name.startsWith('CLERK_') && v[name] !== undefined,
  );
  if (given.length === 0) return;
  const missing = ['CLERK_PUBLISHABLE_KEY', 'CLERK_SECRET_KEY'].filter(
    (name) => v[name as keyof Variables] === undefined,
  );
  throw new ConfigurationError(
    `${missing.join(' and ')} must be set too: without ${missing.length > 1 ? 'them' : 'it'} ${given.join(', ')} ${given.length > 1 ? 'mean' : 'means'} nothing.`,
  );
}

/** Reads the origin from a publishable key, which contains the host of the Frontend API and a dollar sign in Base64. */
function readFrontendApi(publishableKey: string): string {
  const encoded = /^pk_(?:test|live)_([\w+/=-]+)$/.exec(publishableKey)?.[1] ?? '';
  const host = /^([a-z0-9.-]+\.[a-z0-9-]+(?::\d{1,5})?)\$$/i.exec(
    Buffer.from(encoded, 'base64').toString('latin1'),
  )?.[1];
  if (!host)
    throw new ConfigurationError(
      'CLERK_PUBLISHABLE_KEY must hold the publishable key of the Clerk application: it starts with pk_test_ or pk_live_.',
    );
  return `https://${host.toLowerCase()}`;
}

/** Parses a PEM key. Accepts `\n` and spaces as its line ends, because environment variables often have only one line. */
function readPublicKey(text: string): string {
  const body = /^-----BEGIN PUBLIC KEY-----([^-]+)-----END PUBLIC KEY-----$/.exec(
    text
      .replace(/^["']|["']$/g, '')
      .replaceAll('\\n', '\n')
      .trim(),
  )?.[1];
  try {
    const key = createPublicKey({
      key: Buffer.from((body ?? '').replace(/\s/g, ''), 'base64'),
      format: 'der',
      type: 'spki',
    });
    if (key.asymmetricKeyType === 'rsa') return key.export({ format: 'pem', type: 'spki' }).toString();
  } catch {
    // Invalid key. The error below is thrown instead, because the original message may quote the value.
  }
  throw new ConfigurationError(
    'CLERK_JWT_KEY must hold the public key of the instance in PEM form, from -----BEGIN PUBLIC KEY----- to -----END PUBLIC KEY-----; line ends may be written as \\n.',
  );
}
