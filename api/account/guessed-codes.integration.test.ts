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

/** @returns the code that was used, one that is right for the user's next sign-in, and the cookies of the session */
async function setUpApp(user: SignedInUser): Promise<{ used: string; next: string; session: string }> {
  const { cookie } = await signIn(user);
  const { body } = await auth('/two-factor/enable', { password: PASSWORD }, cookie);
  const secret = new URL(body.totpURI).searchParams.get('secret')!;
  const [used, next] = [codeOf(secret), codeOf(secret, 1)];
  const answer = await enter(used, cookie);
  expect(answer.body.code).toBeUndefined();
  return { used, next, session: answer.cookie };
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
  const [ada, ben] = [await product.signUp('Ada'), await product.signUp('Ben')];
  await setUpApp(ada);
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
  const ada = await product.signUp('Ada');
  const { next } = await setUpApp(ada);
  expect(await guess(ada, [...wrong(9), next])).toBe('right');
  expect(await read(ada)).toBeNull();
});

it('tells the owner if the tenth code was right and is used already', async () => {
  const ada = await product.signUp('Ada');
  const { used } = await setUpApp(ada);
  expect(await guess(ada, [...wrong(9), used])).toBe('CODE_USED');
  expect(await read(ada)).toEqual({ at: expect.any(String), network: '127.0.0.1' });
});

it('says nothing of ten wrong codes within a session', async () => {
  const ada = await product.signUp('Ada');
  const { session } = await setUpApp(ada);
  for (const code of wrong(10)) expect((await enter(code, session)).body.code).toBe('INVALID_CODE');
  expect((await enter('200000', session)).body.code).toBe('ACCOUNT_TEMPORARILY_LOCKED');
  expect(await read(ada)).toBeNull();
});
