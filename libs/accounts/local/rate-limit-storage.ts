import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

export type RateLimitStorage = ReturnType<typeof rateLimitStorage>;

/** Allows `max` calls in `window` seconds. */
export interface RateLimitRule {
  window: number;
  max: number;
}

/** Required by the library, but every call sets its own window. */
const DEFAULT_WINDOW_SECONDS = 60;

/**
 * Rate limits with fixed windows, in the database, for all processes together. better-auth's own storage extends the window
 * at each allowed call, so it would block a user who signs in every half minute.
 */
export function rateLimitStorage(storeClient: pg.Pool) {
  const limiters = new Map<number, RateLimiterPostgres>();
  const limiterFor = (points: number) => {
    const limiter =
      limiters.get(points) ??
      new RateLimiterPostgres({
        storeClient,
        storeType: 'pool',
        tableName: 'auth_rate_limits',
        tableCreated: true,
        keyPrefix: '',
        points,
        duration: DEFAULT_WINDOW_SECONDS,
      });
    limiters.set(points, limiter);
    return limiter;
  };
  return {
    /** Counts a call. `count` includes calls that were not allowed. `retryAfter` is in seconds. */
    async consume(key: string, { max, window }: RateLimitRule) {
      try {
        const { consumedPoints } = await limiterFor(max).consume(key, 1, { customDuration: window });
        return { allowed: true, retryAfter: null, count: consumedPoints };
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        const retryAfter = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
        return { allowed: false, retryAfter, count: error.consumedPoints };
      }
    },
    /** Seconds until the next call is allowed; null if it is allowed now. */
    async wait(key: string, { max }: RateLimitRule): Promise<number | null> {
      const state = await limiterFor(max).get(key);
      if (state === null || state.consumedPoints < max) return null;
      return Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    },
    async restore(key: string, { max, window }: RateLimitRule): Promise<void> {
      await limiterFor(max).reward(key, 1, { customDuration: window });
    },
    async forget(key: string): Promise<void> {
      await storeClient.query('DELETE FROM auth_rate_limits WHERE key = $1', [key]);
    },
  };
}
