import { describe, expect, it, jest } from '@jest/globals';
import { createTokenKeeper } from './token-keeper.js';

const token = (name: string, seconds: number) =>
  `x.${Buffer.from(JSON.stringify({ iat: 1_000, exp: 1_000 + seconds, name })).toString('base64url')}.y`;

function setUp() {
  const clock = { now: 0 };
  let count = 0;
  const read = jest.fn(async (): Promise<string | null> => token(`token ${(count += 1)}`, 300));
  const onEnded = jest.fn();
  return { clock, read, onEnded, keeper: createTokenKeeper({ read, now: () => clock.now, onEnded }) };
}

describe('createTokenKeeper', () => {
  it('reads once and keeps the token until shortly before its end', async () => {
    const { clock, read, keeper } = setUp();
    const first = await keeper.getToken();
    clock.now = 269_000;
    expect(await keeper.getToken()).toBe(first);
    clock.now = 271_000;
    expect(await keeper.getToken()).not.toBe(first);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('lets calls that come together wait for one renewal', async () => {
    const { read, keeper } = setUp();
    const tokens = await Promise.all([
      keeper.getToken(),
      keeper.getToken({ fresh: true }),
      keeper.getToken(),
    ]);
    expect(new Set(tokens).size).toBe(1);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('renews when a fresh one is asked for', async () => {
    const { keeper } = setUp();
    const first = await keeper.getToken();
    expect(await keeper.getToken({ fresh: true })).not.toBe(first);
  });

  it('says that the session ended, and tries again after a failure', async () => {
    const { read, onEnded, keeper } = setUp();
    read.mockRejectedValueOnce(new Error('No answer.'));
    await expect(keeper.getToken()).rejects.toThrow('No answer.');
    expect(onEnded).not.toHaveBeenCalled();
    read.mockResolvedValueOnce(null);
    expect(await keeper.getToken()).toBeNull();
    expect(onEnded).toHaveBeenCalledTimes(1);
    expect(await keeper.getToken()).toContain('x.');
  });
});
