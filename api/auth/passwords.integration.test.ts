import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { testDatabase, type TestDatabase } from '../../test/support/database.js';
import { startEdgeApp, type EdgeApp } from '../../test/support/edge-app.js';
import { allowTimeForPrograms } from '../../test/support/time-limits.js';

allowTimeForPrograms();

let database: TestDatabase;
let edge: EdgeApp;

beforeAll(async () => {
  database = await testDatabase();
  edge = await startEdgeApp(database.url, {
    RATE_LIMIT_SIGN_IN: '1000',
    RATE_LIMIT_SIGN_UP: '1000',
    TRUSTED_PROXIES: '127.0.0.1',
  });
});
afterAll(async () => {
  await edge.close();
  await database.drop();
});

let users = 0;
const newUser = () => ({ name: 'Ada', email: `ada${++users}@example.com`, password: 'correct horse' });
const read = async (answer: Response) =>
  (await answer.json()) as { code: string; message: string; token: string };

const post = (path: string, json: object, { from = '192.0.2.1', cookie }: Sender = {}) =>
  edge.call(`/api/auth${path}`, {
    json,
    headers: { 'x-forwarded-for': from, origin: edge.config.publicUrl, ...(cookie && { cookie }) },
  });
interface Sender {
  from?: string;
  cookie?: string;
}

/** Signs up a user. @returns the user and the browser's cookie */
async function signUp(from?: string) {
  const user = newUser();
  const answer = await post('/sign-up/email', user, { from });
  const device = answer.headers.getSetCookie().find((one) => one.includes('device'));
  return { user, cookie: device?.split(';')[0] ?? '' };
}

/** Signs in with wrong passwords until the server refuses further guesses. @returns number of guesses and the refusal */
async function guessUntilRefused(email: string, from: (i: number) => string): Promise<[number, Response]> {
  for (let i = 0; i < 60; i += 1) {
    const answer = await post('/sign-in/email', { email, password: `guess ${i}` }, { from: from(i) });
    if (answer.status === 429) return [i, answer];
    expect(answer.status).toBe(401);
  }
  throw new Error('No guess was refused.');
}

/** Simulates that `seconds` pass, by moving the recorded expiry times back. */
const pass = (seconds: number) =>
  edge.app.get(DataSource).query('UPDATE auth_rate_limits SET expire = expire - $1', [seconds * 1000]);

// Stop the clock: on a busy machine a guess takes more than a second, which would shorten the expected waits.
beforeEach(() => {
  jest.spyOn(Date, 'now').mockReturnValue(Date.now());
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('guesses of a password', () => {
  it('from one address wait longer and longer, and do not slow down the owner’s browser', async () => {
    const { user, cookie } = await signUp('198.51.100.1');
    const [free, refused] = await guessUntilRefused(user.email, () => '192.0.2.1');
    expect(free).toBe(5);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await read(refused)).toEqual({
      code: 'RATE_LIMITED',
      message: 'Too many attempts. Try again in 5 seconds.',
    });
    const waits: number[] = [];
    for (let wait = 5; waits.length < 2;) {
      await pass(wait);
      expect((await post('/sign-in/email', { ...user, password: 'a guess' })).status).toBe(401);
      const next = await post('/sign-in/email', user);
      expect(next.status).toBe(429);
      waits.push((wait = Number(next.headers.get('retry-after'))));
    }
    expect(waits).toEqual([10, 20]);

    expect((await post('/sign-in/email', user, { cookie })).status).toBe(200);
    expect((await post('/sign-in/email', user, { from: '203.0.113.5' })).status).toBe(200);
    await pass(20);
    expect((await post('/sign-in/email', user)).status).toBe(200);
    expect((await post('/sign-in/email', { ...user, password: 'a slip' })).status).toBe(401);
    expect((await post('/sign-in/email', user)).status).toBe(200);
  });

  it('all count when made simultaneously', async () => {
    const { user } = await signUp();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => post('/sign-in/email', { ...user, password: `guess ${i}` })),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  it('from many addresses are limited, even for an unknown email', async () => {
    const { user, cookie } = await signUp();
    const guess = (email: string, from: string) =>
      post('/sign-in/email', { email, password: 'a guess' }, { from });
    for (const email of [user.email, 'nobody@example.com']) {
      expect((await guess(email, '192.0.2.1')).status).toBe(401);
      // Skip guesses 2 to 19 by setting the counter, since hashing a password for each would take long.
      await edge.app
        .get(DataSource)
        .query(`UPDATE auth_rate_limits SET points = 19 WHERE points = 1 AND key ~ '^guesses/[^/]+$'`);
      expect((await guess(email, '192.0.2.2')).status).toBe(401);
      const refused = await guess(email, '192.0.2.3');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    }
    expect((await post('/sign-in/email', user, { cookie, from: '203.0.113.78' })).status).toBe(200);
    await pass(-60);
    expect((await post('/sign-in/email', user, { from: '203.0.113.77' })).status).toBe(429);
    await pass(65);
    expect((await post('/sign-in/email', user, { from: '203.0.113.77' })).status).toBe(200);
  });

  it('are not enabled by a forged device cookie', async () => {
    const { user, cookie } = await signUp();
    await guessUntilRefused(user.email, () => '192.0.2.1');
    const forged = cookie.replace(/=[^.;]+/, '=another');
    expect((await post('/sign-in/email', user, { cookie: forged })).status).toBe(429);
  });

  it('with a session count for that session only', async () => {
    const { user } = await signUp();
    const sessions = [await post('/sign-in/email', user), await post('/sign-in/email', user)];
    const [thief, owner] = await Promise.all(sessions.map(async (one) => (await read(one)).token));
    const change = (token: string | undefined, currentPassword: string) =>
      edge.call('/api/auth/change-password', {
        token,
        json: { currentPassword, newPassword: 'another password' },
      });
    for (let i = 0; i < 5; i += 1) expect((await change(thief, `guess ${i}`)).status).toBe(400);
    expect((await change(thief, user.password)).status).toBe(429);
    expect((await change(owner, user.password)).status).toBe(200);
  });
});

describe('each call that asks for the password again', () => {
  it.each([
    ['/change-password', { newPassword: 'another password' }, 'currentPassword'],
    ['/change-email', { newEmail: 'ada@example.org' }, 'password'],
    ['/delete-user', {}, 'password'],
    ['/verify-password', {}, 'password'],
    ['/two-factor/enable', {}, 'password'],
    ['/two-factor/disable', {}, 'password'],
    ['/two-factor/generate-backup-codes', {}, 'password'],
    ['/passkey/verify-registration', { response: {} }, 'password'],
    ['/passkey/delete-passkey', { id: 'any' }, 'password'],
  ])('slows down guesses: %s', async (path, body, field) => {
    const { user } = await signUp();
    const { token } = await read(await post('/sign-in/email', user));
    const guess = () => edge.call(`/api/auth${path}`, { token, json: { ...body, [field]: 'not the one' } });
    const query = (sql: string) => edge.app.get(DataSource).query(sql);
    await query('DELETE FROM auth_rate_limits');
    await query(`UPDATE auth_users SET "twoFactorEnabled" = true`);
    expect(await statusAndCode(await guess())).toEqual([400, 'INVALID_PASSWORD']);
    // Skip guesses up to 5 by setting the counter, since hashing a password for each would take long.
    await query(`UPDATE auth_rate_limits SET points = 5 WHERE key LIKE 'guesses/%'`);
    expect(await statusAndCode(await guess())).toEqual([400, 'INVALID_PASSWORD']);
    expect(await statusAndCode(await guess())).toEqual([429, 'RATE_LIMITED']);
  });

  const statusAndCode = async (answer: Response) => [answer.status, (await read(answer)).code];
});

describe('who has an account', () => {
  it('is revealed by sign-up ten times an hour to one network', async () => {
    const { user } = await signUp();
    const from = '192.0.2.99';
    for (let i = 0; i < 10; i += 1) expect((await post('/sign-up/email', user, { from })).status).toBe(422);
    const [taken, free] = [
      await post('/sign-up/email', user, { from }),
      await post('/sign-up/email', newUser(), { from }),
    ];
    expect([taken.status, free.status]).toEqual([429, 429]);
    expect((await read(free)).message).toBe('Too many attempts. Try again in 60 minutes.');
    expect((await post('/sign-up/email', newUser(), { from: '192.0.2.100' })).status).toBe(200);
  });

  it('is not revealed by the duration of a sign-in', async () => {
    const { user } = await signUp();
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let i = 0; i < 4; i += 1) {
      for (const [kind, email] of [
        ['known', user.email],
        ['unknown', 'nobody-else@example.com'],
      ] as const) {
        const start = performance.now();
        // A different password each time, since this process hashes each once.
        await post('/sign-in/email', { email, password: `a guess ${i}` });
        times[kind].push(performance.now() - start);
      }
    }
    // Hashing takes most of the time. Without it, unknown accounts would be answered ten times faster.
    const [known, unknown] = [Math.min(...times.known), Math.min(...times.unknown)];
    expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(5);
  });
});
