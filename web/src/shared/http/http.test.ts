import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createHttp, readBody } from './http.js';

const token = (pla: string, name = '') =>
  `x.${Buffer.from(JSON.stringify({ pla, name })).toString('base64url')}.y`;
const refused = (status: number, code: string) =>
  Response.json({ success: false, code, message: 'No.' }, { status });

/** Calls once with a kept token, and answers the tokens that were sent. */
async function call(kept: string, fresh: string | null, answers: Response[]) {
  const sent: (string | null)[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_path, options) => {
    sent.push(new Headers(options?.headers).get('Authorization'));
    return answers.shift() ?? Response.json({ success: true });
  });
  const http = createHttp(async (options) => (options?.fresh ? fresh : kept));
  const outcome = await http
    .send('POST', '/api/ai/x', {})
    .then(readBody)
    .catch((error: unknown) => error);
  return { outcome, sent: sent.map((header) => header?.replace('Bearer ', '')) };
}

describe('createHttp', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('sends a refused call again with a fresh token, once', async () => {
    const [old, fresh] = [token('u:free_user', 'old'), token('u:free_user', 'new')];
    const first = await call(old, fresh, [refused(401, 'UNAUTHENTICATED')]);
    expect(first).toEqual({ outcome: { success: true }, sent: [old, fresh] });
    const second = await call(old, fresh, [refused(401, 'UNAUTHENTICATED'), refused(401, 'UNAUTHENTICATED')]);
    expect(second.sent).toEqual([old, fresh]);
    expect(second.outcome).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('sends a call for the premium plan again when a fresh token tells of another plan', async () => {
    const [old, fresh] = [token('u:free_user'), token('u:premium')];
    const { outcome, sent } = await call(old, fresh, [refused(403, 'PREMIUM_REQUIRED')]);
    expect(outcome).toEqual({ success: true });
    expect(sent).toEqual([old, fresh]);
  });

  it.each([
    ['the fresh token tells of the same plan', token('u:free_user', 'new'), 'PREMIUM_REQUIRED'],
    ['there is no fresh token', null, 'PREMIUM_REQUIRED'],
    ['it was refused for another reason', token('u:premium'), 'FORBIDDEN'],
  ])('leaves it at the refusal when %s', async (_case, fresh, code) => {
    const { outcome, sent } = await call(token('u:free_user'), fresh, [refused(403, code)]);
    expect(sent).toHaveLength(1);
    expect(outcome).toMatchObject({ code, status: 403, message: 'No.' });
  });
});
