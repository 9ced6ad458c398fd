import { describe, expect, it, jest } from '@jest/globals';
import { createTokenCache } from './token-cache.js';

const token = (name: string, seconds: number) =>
  `x.${Buffer.from(JSON.stringify({ iat: 1_000, exp: 1_000 + seconds, name })).toString('base64url')}.y`;

function setUp() {
  const clock = { now: 0 };
  let count = 0;
  const read = jest.fn(async (): Promise<string | null> => token(`token ${(count += 1)}`, 300));
  const onEnded = jest.fn();
  return { clock, read, onEnded, cache: createTokenCache({ read, now: () => clock.now, onEnded }) };
}

describe('createTokenCache', () => {
  it('caches the token until shortly before it expires', async () => {
    const { clock, read, cache } = setUp();
    const first = await cache.getToken();
    clock.now = 269_000;
    expect(await cache.getToken()).toBe(first);
    clock.now = 271_000;
    expect(await cache.getToken()).not.toBe(first);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('shares one renewal between concurrent calls', async () => {
    const { read, cache } = setUp();
    const tokens = await Promise.all([cache.getToken(), cache.getToken({ fresh: true }), cache.getToken()]);
    expect(new Set(tokens).size).toBe(1);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('renews the token on request', async () => {
    const { cache } = setUp();
    const first = await cache.getToken();
    expect(await cache.getToken({ fresh: true })).not.toBe(first);
  });

  it('reports the end of the session, and retries after a failure', async () => {
    const { read, onEnded, cache } = setUp();
    read.mockRejectedValueOnce(new Error('No answer.'));
    await expect(cache.getToken()).rejects.toThrow('No answer.');
    expect(onEnded).not.toHaveBeenCalled();
    read.mockResolvedValueOnce(null);
    expect(await cache.getToken()).toBeNull();
    expect(onEnded).toHaveBeenCalledTimes(1);
    expect(await cache.getToken()).toContain('x.');
  });
});
