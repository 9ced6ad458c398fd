import {
  createLocalJWKSet,
  importSPKI,
  type CryptoKey,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import { JWKSNoMatchingKey } from 'jose/errors';
import { AppError } from '#libs/contract/errors.js';
import type { ClerkConfig } from '#libs/config/clerk.js';

/** Milliseconds after which known keys are asked for again, beside the work. */
const REFRESH_AFTER = 3_600_000;
/** Milliseconds between two questions, whatever ids of keys are asked for and however the last one ended. */
const PAUSE = 30_000;
const PAUSE_AFTER_FAILURE = 3_000;
const PATIENCE = 5_000;

/** The keys of Clerk's session tokens: the configured one, which needs no network, or those that Clerk publishes. */
export function clerkKeys(clerk: Pick<ClerkConfig, 'jwtKey' | 'apiUrl' | 'secretKey'>): JWTVerifyGetKey {
  const { jwtKey } = clerk;
  if (jwtKey === null) return publishedKeys(() => fetchKeys(clerk));
  let key: Promise<CryptoKey> | undefined;
  return () => (key ??= importSPKI(jwtKey, 'RS256'));
}

/**
 * Keys that are asked for when they are first needed, then again for an id that is not known and once an hour; never
 * more than once in half a minute. While they cannot be had, those that are known stay good.
 * @param now milliseconds since 1970
 */
export function publishedKeys(
  ask: () => Promise<JSONWebKeySet>,
  now: () => number = Date.now,
): JWTVerifyGetKey {
  let known: ReturnType<typeof createLocalJWKSet> | undefined;
  let knownSince = -Infinity;
  let askAfter = -Infinity;
  let asking: Promise<void> | undefined;

  const refresh = (): Promise<void> => {
    if (now() < askAfter) return asking ?? Promise.resolve();
    asking ??= ask()
      .then((keys) => {
        known = createLocalJWKSet(keys);
        knownSince = now();
        askAfter = now() + PAUSE;
      })
      .catch(() => {
        askAfter = now() + PAUSE_AFTER_FAILURE;
      })
      .finally(() => (asking = undefined));
    return asking;
  };

  return async (header, token) => {
    if (!known) await refresh();
    else if (now() - knownSince > REFRESH_AFTER) void refresh();
    if (!known) throw unavailable();
    if (!header?.kid) throw new JWKSNoMatchingKey();
    try {
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof JWKSNoMatchingKey) || (asking === undefined && now() < askAfter)) throw error;
      await refresh();
      return known(header, token);
    }
  };
}

async function fetchKeys({ apiUrl, secretKey }: Pick<ClerkConfig, 'apiUrl' | 'secretKey'>) {
  const answer = await fetch(`${apiUrl}/v1/jwks`, {
    headers: { Authorization: `Bearer ${secretKey}`, Accept: 'application/json' },
    signal: AbortSignal.timeout(PATIENCE),
    redirect: 'error',
  });
  if (!answer.ok) throw new Error(`Clerk answered ${answer.status} when it was asked for its keys.`);
  return (await answer.json()) as JSONWebKeySet;
}

const unavailable = () =>
  new AppError('UNAVAILABLE', 'Sign-in cannot be checked at the moment. Try again shortly.');
