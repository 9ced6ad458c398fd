import type { GetToken } from '../../../../shared/http/http';
import { tokenClaims } from '../../../../shared/http/token-claims';

const MARGIN_MS = 30_000;

interface TokenCacheOptions {
  read: () => Promise<string | null>;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  onEnded: () => void;
}

/**
 * Caches the API token in memory and renews it before it expires; concurrent calls share one renewal. Its lifetime
 * counts from its arrival, since the clocks of browser and server can differ.
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

/** Milliseconds from issue to expiry; 0 if the token has no such claims. */
function lifetime(token: string): number {
  const { iat, exp } = tokenClaims(token);
  return iat === undefined || exp === undefined ? 0 : (exp - iat) * 1000;
}
