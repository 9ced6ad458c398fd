import { expect, it } from '@jest/globals';
import type { GuessedCodes } from '#libs/contract/account.js';
import { codeOf } from '../../test/support/authenticator-app.ts';
import { PASSWORD, type SignedInUser, useInProcessProduct } from '../../test/support/in-process-product.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const product = useInProcessProduct({ RATE_LIMIT_SIGN_IN: '1000' });

/** Sends a call of the accounts. @returns the body, and the cookies for the next call */
async function auth(path: string, body: object, cookie = '') {
  const answer = await fetch(`${product.origin}/api/auth${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: product.origin, Cookie: cookie },
    body: JSON.stringify(body),
  });
  const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0]);
  return { body: (await answer.json()) as { code?: string; totpURI: string }, cookie: cookies.join('; ') };
}
const signIn = ({ email }: SignedInUser) => auth('/sign-in/email', { email, password: PASSWORD });
const enter = (code: string, cookie: string) => auth('/two-factor/verify-totp', { code }, cookie);

/**
 * Sets up an app, which ends all other sessions of the user.
 * @returns the code that was used, one that is right for the next sign-in, the cookies of the session, and the user in it
 */
async function setUpApp(user: SignedInUser) {
  const { cookie } = await signIn(user);
  const { body } = await auth('/two-factor/enable', { password: PASSWORD }, cookie);
  const secret = new URL(body.totpURI).searchParams.get('secret')!;
  const [used, next] = [codeOf(secret), codeOf(secret, 1)];
  const answer = await enter(used, cookie);
  expect(answer.body.code).toBeUndefined();
  const session = answer.cookie;
  const headers = { Cookie: session };
  const { token } = (await (await fetch(`${product.origin}/api/auth/token`, { headers })).json()) as {
    token: string;
  };
  const call: SignedInUser['call'] = (path, options) =>
    fetch(`${product.origin}${path}`, { ...options, headers: { Authorization: `Bearer ${token}` } });
  return { used, next, session, owner: { ...user, token, call } };
}

/** Signs in, and enters each code of a new device. */
async function guess(user: SignedInUser, codes: string[]) {
  let answer = '';
  for (const code of codes) answer = (await enter(code, (await signIn(user)).cookie)).body.code ?? 'right';
  return answer;
}

async function read(user: SignedInUser, method = 'GET'): Promise<GuessedCodes | null> {
  const answer = await user.call('/api/user/guessed-codes', { method });
  const body = (await answer.json()) as { success: boolean; guessedCodes: GuessedCodes | null };
  expect([answer.status, body]).toMatchObject([200, { success: true }]);
  return body.guessedCodes;
}

const wrong = (count: number) => Array.from({ length: count }, (_, n) => `1000${n + 10}`);

it('tells the owner of ten wrong codes after the right password, until dismissed', async () => {
  const ben = await product.signUp('Ben');
  const { owner: ada } = await setUpApp(await product.signUp('Ada'));
  const begun = Date.now();
  await guess(ada, wrong(9));
  expect(await read(ada)).toBeNull();
  expect(await guess(ada, ['200000'])).toBe('INVALID_CODE');
  const guessed = await read(ada);
  expect(guessed).toEqual({ at: expect.any(String), network: '127.0.0.1' });
  expect(Date.parse(guessed!.at)).toBeGreaterThanOrEqual(begun);
  expect(await guess(ada, ['200001'])).toBe('ACCOUNT_TEMPORARILY_LOCKED');
  expect(await read(ada)).toEqual(guessed);

  expect([await read(ben), await read(ben, 'DELETE'), await read(ada)]).toEqual([null, null, guessed]);
  expect([await read(ada, 'DELETE'), await read(ada)]).toEqual([null, null]);
});

it('says nothing if the tenth code is right', async () => {
  const { next, owner: ada } = await setUpApp(await product.signUp('Ada'));
  expect(await guess(ada, [...wrong(9), next])).toBe('right');
  expect(await read(ada)).toBeNull();
});

it('tells the owner if the tenth code was right and is used already', async () => {
  const { used, owner: ada } = await setUpApp(await product.signUp('Ada'));
  expect(await guess(ada, [...wrong(9), used])).toBe('CODE_USED');
  expect(await read(ada)).toEqual({ at: expect.any(String), network: '127.0.0.1' });
});

it('says nothing of ten wrong codes within a session', async () => {
  const { session, owner: ada } = await setUpApp(await product.signUp('Ada'));
  for (const code of wrong(10)) expect((await enter(code, session)).body.code).toBe('INVALID_CODE');
  expect((await enter('200000', session)).body.code).toBe('ACCOUNT_TEMPORARILY_LOCKED');
  expect(await read(ada)).toBeNull();
});
