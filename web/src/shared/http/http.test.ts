import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createHttp, readBody } from './http.js';

const token = (pla: string, name = '') =>
  `x.${Buffer.from(JSON.stringify({ pla, name })).toString('base64url')}.y`;
const rejected = (status: number, code: string) =>
  Response.json({ success: false, code, message: 'No.' }, { status });

/** Makes a call with a cached token. @returns the outcome and the tokens of all requests */
async function call(cached: string, fresh: string | null, answers: Response[]) {
  const sent: (string | null)[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_path, options) => {
    sent.push(new Headers(options?.headers).get('Authorization'));
    return answers.shift() ?? Response.json({ success: true });
  });
  const http = createHttp(async (options) => (options?.fresh ? fresh : cached));
  const outcome = await http
    .send('POST', '/api/ai/x', {})
    .then(readBody)
    .catch((error: unknown) => error);
  return { outcome, sent: sent.map((header) => header?.replace('Bearer ', '')) };
}

describe('createHttp', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('retries a rejected call once with a fresh token', async () => {
    const [old, fresh] = [token('u:free_user', 'old'), token('u:free_user', 'new')];
    const first = await call(old, fresh, [rejected(401, 'UNAUTHENTICATED')]);
    expect(first).toEqual({ outcome: { success: true }, sent: [old, fresh] });
    const second = await call(old, fresh, [
      rejected(401, 'UNAUTHENTICATED'),
      rejected(401, 'UNAUTHENTICATED'),
    ]);
    expect(second.sent).toEqual([old, fresh]);
    expect(second.outcome).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('retries a call for the premium plan if the fresh token contains another plan', async () => {
    const [old, fresh] = [token('u:free_user'), token('u:premium')];
    const { outcome, sent } = await call(old, fresh, [rejected(403, 'PREMIUM_REQUIRED')]);
    expect(outcome).toEqual({ success: true });
    expect(sent).toEqual([old, fresh]);
  });

  it.each([
    ['the fresh token contains the same plan', token('u:free_user', 'new'), 'PREMIUM_REQUIRED'],
    ['there is no fresh token', null, 'PREMIUM_REQUIRED'],
    ['it was rejected for another reason', token('u:premium'), 'FORBIDDEN'],
  ])('does not retry when %s', async (_case, fresh, code) => {
    const { outcome, sent } = await call(token('u:free_user'), fresh, [rejected(403, code)]);
    expect(sent).toHaveLength(1);
    expect(outcome).toMatchObject({ code, status: 403, message: 'No.' });
  });
});
