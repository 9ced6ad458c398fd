import type { GetToken } from '../../../../shared/http/http';
import { tokenClaims } from '../../../../shared/http/token-claims';

/** A token is renewed this long before it ends. */
const MARGIN_MS = 30_000;

interface KeeperOptions {
  read: () => Promise<string | null>;
  /** Milliseconds on a clock that only goes forward. */
  now: () => number;
  /** Called when the session turns out to have ended. */
  onEnded: () => void;
}

/**
 * Keeps the short token of a session in memory and renews it in time; calls that come together wait for one
 * renewal. Its life is measured from its arrival, since the clocks of browser and server may differ.
 */
export function createTokenKeeper({ read, now, onEnded }: KeeperOptions): {
  getToken: GetToken;
  forget: () => void;
} {
  let kept: { token: string; renewAt: number } | null = null;
  let reading: Promise<string | null> | null = null;

  const renew = async () => {
    const token = await read();
    if (token === null) {
      kept = null;
      onEnded();
      return null;
    }
    kept = { token, renewAt: now() + lifetime(token) - MARGIN_MS };
    return token;
  };

  return {
    getToken: async ({ fresh = false } = {}) => {
      if (!fresh && kept !== null && now() < kept.renewAt) return kept.token;
      reading ??= renew().finally(() => (reading = null));
      return reading;
    },
    forget: () => (kept = null),
  };
}

/** Milliseconds from issue to end, as the token itself says; 0 when it does not. */
function lifetime(token: string): number {
  const { iat, exp } = tokenClaims(token);
  return iat === undefined || exp === undefined ? 0 : (exp - iat) * 1000;
}
