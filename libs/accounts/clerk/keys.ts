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

/** Milliseconds after which the keys are fetched again in the background. */
const REFRESH_MS = 3_600_000;
/** The shortest time between two fetches, in milliseconds. */
const MIN_INTERVAL_MS = 30_000;
const FAILURE_INTERVAL_MS = 3_000;
const TIMEOUT_MS = 5_000;

/** The keys of Clerk's session tokens: the configured one, or those that Clerk publishes. */
export function clerkKeys(clerk: Pick<ClerkConfig, 'jwtKey' | 'apiUrl' | 'secretKey'>): JWTVerifyGetKey {
  const { jwtKey } = clerk;
  if (jwtKey === null) return publishedKeys(() => fetchKeys(clerk));
  let key: Promise<CryptoKey> | undefined;
  return () => (key ??= importSPKI(jwtKey, 'RS256'));
}

/**
 * Keys that are fetched on first use, then for an unknown key id and once an hour, at most once in half a minute.
 * While fetching fails, the known keys stay valid.
 * @param now milliseconds since 1970
 */
export function publishedKeys(
  fetchKeySet: () => Promise<JSONWebKeySet>,
  now: () => number = Date.now,
): JWTVerifyGetKey {
  let known: ReturnType<typeof createLocalJWKSet> | undefined;
  let knownSince = -Infinity;
  let fetchAfter = -Infinity;
  let fetching: Promise<void> | undefined;

  const refresh = (): Promise<void> => {
    if (now() < fetchAfter) return fetching ?? Promise.resolve();
    fetching ??= fetchKeySet()
      .then((keys) => {
        known = createLocalJWKSet(keys);
        knownSince = now();
        fetchAfter = now() + MIN_INTERVAL_MS;
      })
      .catch(() => {
        fetchAfter = now() + FAILURE_INTERVAL_MS;
      })
      .finally(() => (fetching = undefined));
    return fetching;
  };

  return async (header, token) => {
    if (!known) await refresh();
    else if (now() - knownSince > REFRESH_MS) void refresh();
    if (!known) throw unavailable();
    if (!header?.kid) throw new JWKSNoMatchingKey();
    try {
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof JWKSNoMatchingKey) || (fetching === undefined && now() < fetchAfter))
        throw error;
      await refresh();
      return known(header, token);
    }
  };
}

async function fetchKeys({ apiUrl, secretKey }: Pick<ClerkConfig, 'apiUrl' | 'secretKey'>) {
  const answer = await fetch(`${apiUrl}/v1/jwks`, {
    headers: { Authorization: `Bearer ${secretKey}`, Accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  if (!answer.ok) throw new Error(`Clerk answered ${answer.status} when its keys were fetched.`);
  return (await answer.json()) as JSONWebKeySet;
}

const unavailable = () =>
  new AppError('UNAVAILABLE', 'Sign-in cannot be checked at the moment. Try again shortly.');
