import { describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, type JSONWebKeySet } from 'jose';
import { publishedKeys } from './keys.js';

const { publicKey } = await generateKeyPair('RS256', { extractable: true });
const setOf = async (...kids: string[]): Promise<JSONWebKeySet> => ({
  keys: await Promise.all(kids.map(async (kid) => ({ ...(await exportJWK(publicKey)), kid, alg: 'RS256' }))),
});

/** Creates a key source. Tests set its clock and the key set that the fake endpoint returns. */
function source(first: JSONWebKeySet | Error) {
  const state = { time: 0, asked: 0, answer: first };
  const keys = publishedKeys(
    async () => {
      state.asked += 1;
      if (state.answer instanceof Error) throw state.answer;
      return state.answer;
    },
    () => state.time,
  );
  const ask = async (kid?: string) => keys({ alg: 'RS256', kid }, { payload: '', signature: '' });
  return { state, ask };
}

describe('published keys', () => {
  it('are fetched once for any number of tokens', async () => {
    const { state, ask } = source(await setOf('a'));
    await Promise.all([ask('a'), ask('a'), ask('a')]);
    await ask('a');
    expect(state.asked).toBe(1);
  });

  it('are fetched again for a new id, but not for many invented ids', async () => {
    const { state, ask } = source(await setOf('a'));
    await ask('a');
    state.answer = await setOf('a', 'b');
    for (const kid of ['x', 'y', 'b'])
      await expect(ask(kid)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    expect(state.asked).toBe(1);
    state.time = 31_000;
    await expect(ask('b')).resolves.toBeDefined();
    for (const kid of ['x', 'y', 'z']) await expect(ask(kid)).rejects.toBeDefined();
    expect(state.asked).toBe(2);
  });

  it('stay valid while they cannot be fetched, and are fetched every hour', async () => {
    const { state, ask } = source(await setOf('a'));
    await ask('a');
    state.answer = new Error('down');
    state.time = 3_700_000;
    await expect(ask('a')).resolves.toBeDefined();
    await expect(ask('a')).resolves.toBeDefined();
    expect(state.asked).toBe(2);
  });

  it('that were never fetched make the call unavailable, and are fetched every few seconds at most', async () => {
    const { state, ask } = source(new Error('down'));
    for (let i = 0; i < 5; i += 1) await expect(ask('a')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(state.asked).toBe(1);
    state.answer = await setOf('a');
    state.time = 3_100;
    await expect(ask('a')).resolves.toBeDefined();
  });

  it('are not found without an id in the token', async () => {
    const { ask } = source(await setOf('a'));
    await expect(ask(undefined)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });
});
