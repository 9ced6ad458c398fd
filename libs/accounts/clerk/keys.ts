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

const REFRESH_MS = 3_600_000;
const MIN_INTERVAL_MS = 30_000;
const FAILURE_INTERVAL_MS = 3_000;
const TIMEOUT_MS = 5_000;

export function clerkKeys(clerk: Pick<ClerkConfig, 'jwtKey' | 'apiUrl' | 'secretKey'>): JWTVerifyGetKey {
  const { jwtKey } = clerk;
  if (jwtKey === null) return publishedKeys(() => fetchKeys(clerk));
  let key: Promise<CryptoKey> | undefined;
  return () => (key ??= importSPKI(jwtKey, 'RS256'));
}

/**
 * Caches a key set. Fetches it on first use, every hour, and when a token has an unknown key id, but at most twice a minute
 * (every 3 seconds after a failure). If fetching fails, the cached keys stay valid.
 * @param now current time in milliseconds since 1970
 */
export function publishedKeys(
  fetchKeySet: () => Promise<JSONWebKeySet>,
  now: () => number = Date.now,
): JWTVerifyGetKey {
  let cached: ReturnType<typeof createLocalJWKSet> | undefined;
  let fetchedAt = -Infinity;
  let fetchAfter = -Infinity;
  let fetching: Promise<void> | undefined;

  const refresh = (): Promise<void> => {
    if (now() < fetchAfter) return fetching ?? Promise.resolve();
    fetching ??= fetchKeySet()
      .then((keys) => {
        cached = createLocalJWKSet(keys);
        fetchedAt = now();
        fetchAfter = now() + MIN_INTERVAL_MS;
      })
      .catch(() => {
        fetchAfter = now() + FAILURE_INTERVAL_MS;
      })
      .finally(() => (fetching = undefined));
    return fetching;
  };

  return async (header, token) => {
    if (!cached) await refresh();
    else if (now() - fetchedAt > REFRESH_MS) void refresh();
    if (!cached) throw unavailable();
    if (!header?.kid) throw new JWKSNoMatchingKey();
    try {
      return await cached(header, token);
    } catch (error) {
      if (!(error instanceof JWKSNoMatchingKey) || (fetching === undefined && now() < fetchAfter))
        throw error;
      await refresh();
      return cached(header, token);
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
