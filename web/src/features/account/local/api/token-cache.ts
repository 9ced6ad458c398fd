import type { GetToken } from '../../../../shared/http/http';
import { tokenClaims } from '../../../../shared/http/token-claims';

const MARGIN_MS = 30_000;

interface TokenCacheOptions {
  read: () => Promise<string | null>;
  /** Monotonic clock in milliseconds. */
  now: () => number;
  onEnded: () => void;
}

/**
 * Caches the API token in memory and renews it before it expires. Concurrent calls share one renewal. The lifetime is
 * counted
 * from when the token arrived, since the clocks of browser and server can differ.
 */
export function createTokenCache({ read, now, onEnded }: TokenCacheOptions): {
  getToken: GetToken;
  clear: () => void;
} {
  let cached: { token: string; renewAt: number } | null = null;
  let reading: Promise<string | null> | null = null;

  const renew = async () => {
    const token = await read();
    if (token === null) {
      cached = null;
      onEnded();
      return null;
    }
    cached = { token, renewAt: now() + lifetime(token) - MARGIN_MS };
    return token;
  };

  return {
    getToken: async ({ fresh = false } = {}) => {
      if (!fresh && cached !== null && now() < cached.renewAt) return cached.token;
      reading ??= renew().finally(() => (reading = null));
      return reading;
    },
    clear: () => (cached = null),
  };
}

/** Milliseconds between the token's `iat` and `exp` claims; 0 if a claim is missing. */
function lifetime(token: string): number {
  const { iat, exp } = tokenClaims(token);
  return iat === undefined || exp === undefined ? 0 : (exp - iat) * 1000;
}
