import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { getMigrations } from 'better-auth/db/migration';
import pg from 'pg';
import Stripe from 'stripe';
import { ConfigurationError } from '#libs/config/configuration-error.js';
import { logContext, withLogContext } from '#libs/observability/log-context.js';
import { codeOf } from '../../../test/support/authenticator-app.js';
import { accountsOptions, call, newUser, publicUrl } from '../../../test/support/local-accounts.js';
import { testDatabase, testPool, type TestDatabase } from '../../../test/support/database.js';
import { createDataSource } from '#libs/database/data-source.js';
import { createTokenVerifier } from '../token-verifier.js';
import { createLocalAccounts } from './accounts.js';
import { betterAuthOptions, type LocalAccountsOptions } from './options.js';
import { createResetToken } from './outdated-links.js';
import { paymentPlugins } from './payment.js';
import { localKeys } from './signing-keys.js';

let database: TestDatabase;
let pool: pg.Pool;
let options: LocalAccountsOptions;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  pool = testPool(database.url, 3);
  options = accountsOptions(pool);
});
afterEach(async () => {
  if (!pool.ended) await pool.end();
});

async function signUp(accounts = createLocalAccounts(options)) {
  const response = await accounts.handle(call('/sign-up/email', newUser()));
  return ((await response.json()) as { token: string }).token;
}

async function readUser(session: string, accounts: ReturnType<typeof createLocalAccounts>) {
  const response = await accounts.handle(
    call('/get-session', undefined, { authorization: `Bearer ${session}` }),
  );
  return ((await response.json()) as { user?: object } | null)?.user;
}

async function askToken(session: string, accounts = createLocalAccounts(options)) {
  const response = await accounts.handle(call('/token', undefined, { authorization: `Bearer ${session}` }));
  return ((await response.json()) as { token: string }).token;
}

describe('the local accounts', () => {
  it('need only tables and columns that our migrations create', async () => {
    const stripe = new Stripe('sk_test_1');
    const payment = await paymentPlugins({
      stripe,
      config: { priceId: 'price_1', trialDays: 0, webhookSecret: 'whsec_1' },
      syncSubscriptions: async () => undefined,
      isSubscribed: async () => false,
      ensureCustomer: async () => null,
      onError: () => undefined,
    });
    const { toBeCreated, toBeAdded } = await getMigrations(
      betterAuthOptions({ ...options, paymentPlugins: payment }),
    );
    expect({ toBeCreated, toBeAdded }).toEqual({ toBeCreated: [], toBeAdded: [] });
  });

  it('write no line of a refused call, whose request has one', async () => {
    const lines: string[] = [];
    const log = (_: object, message: string) => void lines.push(message);
    const accounts = createLocalAccounts({ ...options, logger: { warn: log, error: log } });
    const user = newUser();
    await accounts.handle(call('/sign-up/email', user));
    for (const email of [user.email, 'nobody@example.com']) {
      const wrong = call('/sign-in/email', { email, password: 'a wrong password' });
      expect((await accounts.handle(wrong)).status).toBe(401);
    }
    for (const refused of [
      call('/sign-in/email', { ...user, callbackURL: 'https://evil.example' }),
      call('/sign-in/email', user, { origin: 'https://evil.example', cookie: 'a=b' }),
      call('/sign-out', {}, { origin: 'https://evil.example', cookie: 'a=b' }),
      call('/sign-in/email', user, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }),
    ])
      expect((await accounts.handle(refused)).status).toBe(403);
    await accounts.handle(new Request(`${options.publicUrl}/api/auth/callback/none?state=none`));
    expect(lines).toEqual([]);
  });

  it('accept a link of an operator once, and end the sessions', async () => {
    const accounts = createLocalAccounts(options);
    const session = await signUp(accounts);
    const { rows } = await pool.query<{ userId: string }>(
      'SELECT "userId" FROM auth_sessions WHERE "token" = $1',
      [session],
    );
    const dataSource = await createDataSource({ url: database.url }).initialize();
    const token = await createResetToken(dataSource, rows[0]!.userId);
    await dataSource.destroy();
    const reset = async (newPassword: string) =>
      (await accounts.handle(call('/reset-password', { token, newPassword }))).status;
    expect([await reset('a password to remember'), await reset('yet another word')]).toEqual([200, 400]);
    expect((await pool.query('SELECT FROM auth_sessions WHERE "token" = $1', [session])).rowCount).toBe(0);
  });

  it.each([
    ['no name', { name: ' ' }, 'INVALID_PROFILE', 'Enter your name.'],
    ['a name of 101 characters', { name: '🦜'.repeat(101) }, 'INVALID_PROFILE', /within 100 characters/],
    ['a name with a null character', { name: 'A\u0000da' }, 'INVALID_PROFILE', /invalid characters/],
    ['a name that cannot be seen', { name: '\u200b\u3164' }, 'INVALID_PROFILE', /Enter your name/],
    [
      'a name that changes the direction of the following text',
      { name: 'Ada \u202egnp.exe' },
      'INVALID_PROFILE',
      /invalid characters/,
    ],
    ['half an emoji as name', { name: '\ud83e' }, 'INVALID_PROFILE', /invalid characters/],
    ['a name that is no text', { name: 7 }, 'VALIDATION_ERROR', 'Enter your name.'],
    [
      'a picture of another scheme',
      { image: 'javascript:alert(1)' },
      'INVALID_PROFILE',
      /picture must be an address/,
    ],
    ['no email', { email: undefined }, 'VALIDATION_ERROR', 'Enter a valid email address.'],
    ['a wrong email', { email: 'ada' }, 'VALIDATION_ERROR', 'Enter a valid email address.'],
    ['a password of 7 characters', { password: '1234567' }, 'PASSWORD_TOO_SHORT', /at least 8 characters/],
    [
      'a password of 129 characters',
      { password: 'x'.repeat(129) },
      'PASSWORD_TOO_LONG',
      /at most 128 characters/,
    ],
    ['no password', { password: undefined }, 'VALIDATION_ERROR', 'Enter a password.'],
  ])('refuse a sign-up with %s', async (_, changes, code, message) => {
    const response = await createLocalAccounts(options).handle(call('/sign-up/email', newUser(changes)));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ code, message: expect.stringMatching(message) });
  });

  it('accept an emoji in the name, and passwords of 8 and of 128 characters', async () => {
    const accounts = createLocalAccounts(options);
    for (const password of ['wmtz kqv', 'x'.repeat(128)]) {
      const response = await accounts.handle(call('/sign-up/email', newUser({ name: ' Ada 🦜 ', password })));
      expect(await response.json()).toMatchObject({ token: expect.any(String), user: { name: 'Ada 🦜' } });
    }
  });

  it('create one account for two simultaneous sign-ups', async () => {
    const accounts = createLocalAccounts(options);
    const user = newUser();
    const responses = await Promise.all([1, 2, 3].map(() => accounts.handle(call('/sign-up/email', user))));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    const { rows } = await pool.query('SELECT FROM auth_users WHERE "email" = $1', [user.email]);
    expect(rows).toHaveLength(1);
  });

  it('give the same answer for a wrong password and an unknown email', async () => {
    const accounts = createLocalAccounts(options);
    const user = newUser();
    await accounts.handle(call('/sign-up/email', user));
    const wrong = await accounts.handle(call('/sign-in/email', { ...user, password: 'not the one' }));
    const nobody = await accounts.handle(call('/sign-in/email', { ...user, email: 'nobody@example.com' }));
    expect([wrong.status, nobody.status]).toEqual([401, 401]);
    expect(await wrong.json()).toEqual(await nobody.json());
  });

  it('name the user in the log of a sign-in, once the password is right', async () => {
    const accounts = createLocalAccounts(options);
    const user = newUser();
    await accounts.handle(call('/sign-up/email', user));
    const [account] = (
      await pool.query<{ id: string }>('SELECT "id" FROM auth_users WHERE "email" = $1', [user.email])
    ).rows;
    const userIdOf = (password: string) =>
      withLogContext({}, async () => {
        await accounts.handle(call('/sign-in/email', { ...user, password }));
        return logContext().userId;
      });
    expect(await userIdOf('not the one')).toBeUndefined();
    expect(await userIdOf(user.password)).toBe(account!.id);
  });

  it('answer 503 while the database is unavailable, and do not sign users out', async () => {
    const session = await signUp();
    const unavailable = new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
    const accounts = createLocalAccounts({ ...options, pool: unavailable });
    const authorization = `Bearer ${session}`;
    const calls = [
      call('/sign-in/email', newUser()),
      call('/sign-up/email', newUser()),
      call('/token', undefined, { authorization }),
      call('/get-session', undefined, { authorization }),
      call('/sign-out', {}, { authorization }),
    ];
    for (const request of calls) {
      const response = await accounts.handle(request);
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('5');
      expect(response.headers.get('set-cookie')).toBeNull();
      expect(await response.json()).toMatchObject({ code: 'UNAVAILABLE' });
    }
    await unavailable.end();
  });

  it('set cookies for one host and https only if the address is https', async () => {
    const address = 'https://pressroom.example.com';
    const accounts = createLocalAccounts({ ...options, publicUrl: address });
    const response = await accounts.handle(call('/sign-up/email', newUser()));
    const cookies = response.headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([
      '__Host-pressroom.session_token',
      '__Host-pressroom.device',
    ]);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax/);
      expect(cookie).not.toContain('Domain');
    }
    const cookie = cookies.map((one) => one.split(';')[0]).join('; ');
    const token = await accounts.handle(new Request(`${address}/api/auth/token`, { headers: { cookie } }));
    expect(token.status).toBe(200);
  });

  it('keep the 100 sessions of a user that were used last, and short names of their browsers', async () => {
    const ended: string[] = [];
    const onSessionEnded = ({ id }: { id: string }) => void ended.push(id);
    const accounts = createLocalAccounts({ ...options, onSessionEnded });
    const user = newUser();
    await accounts.handle(call('/sign-up/email', user));
    await pool.query(
      `INSERT INTO auth_sessions ("id", "token", "userId", "expiresAt", "createdAt", "updatedAt")
       SELECT n, n, "id", now() + interval '1 day', now() - interval '1 day', now() - n * interval '1 minute'
       FROM generate_series(1, 105) AS n, auth_users WHERE "email" = $1`,
      [user.email],
    );
    const signedIn = await accounts.handle(
      call('/sign-in/email', user, { 'user-agent': 'Browser'.repeat(1_000) }),
    );
    const { token } = (await signedIn.json()) as { token: string };
    expect(ended.sort()).toEqual(['100', '101', '102', '103', '104', '105', '99']);
    const authorization = `Bearer ${token}`;
    const listed = await accounts.handle(call('/list-sessions', undefined, { authorization }));
    const sessions = (await listed.json()) as { userAgent: string | null }[];
    expect([
      sessions.length,
      sessions
        .map(({ userAgent }) => userAgent?.length ?? 0)
        .sort()
        .at(-1),
    ]).toEqual([100, 300]);
    expect((await accounts.handle(call('/revoke-other-sessions', {}, { authorization }))).status).toBe(200);
    const { rows } = await pool.query<{ token: string }>(
      `SELECT "token" FROM auth_sessions WHERE "userId" = (SELECT "id" FROM auth_users WHERE "email" = $1)`,
      [user.email],
    );
    expect(rows).toEqual([{ token }]);
  });

  it('report the end of the other sessions when an app is set up, but not of the replaced one', async () => {
    const ended: [string, boolean][] = [];
    const onSessionEnded = ({ id }: { id: string }, isRevoked: boolean) => void ended.push([id, isRevoked]);
    const accounts = createLocalAccounts({ ...options, onSessionEnded });
    const user = newUser();
    const own = ((await (await accounts.handle(call('/sign-up/email', user))).json()) as { token: string })
      .token;
    await accounts.handle(call('/sign-in/email', user));
    const { rows } = await pool.query<{ id: string }>(
      `SELECT "id" FROM auth_sessions WHERE "token" <> $1
         AND "userId" = (SELECT "userId" FROM auth_sessions WHERE "token" = $1)`,
      [own],
    );
    const authorization = `Bearer ${own}`;
    const enabled = await accounts.handle(
      call('/two-factor/enable', { password: user.password }, { authorization }),
    );
    const { totpURI } = (await enabled.json()) as { totpURI: string };
    const code = codeOf(new URL(totpURI).searchParams.get('secret')!);
    expect((await accounts.handle(call('/two-factor/verify-totp', { code }, { authorization }))).status).toBe(
      200,
    );
    expect(ended).toEqual([[rows[0]!.id, true]]);
  });

  it('have the plan in the token', async () => {
    const session = await signUp();
    const readPlan = async () => {
      const [, payload = ''] = (await askToken(session)).split('.');
      return JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string; pla: string };
    };
    const { sub, pla } = await readPlan();
    expect(pla).toBe('u:free_user');
    await pool.query(`INSERT INTO users (id, name, plan) VALUES ($1, 'Ada', 'premium')`, [sub]);
    expect((await readPlan()).pla).toBe('u:premium');
  });
});

describe('the signing keys', () => {
  const verifierWith = (keys: ReturnType<typeof localKeys>) =>
    createTokenVerifier(new Map([[publicUrl, { keys, authorizedParties: [publicUrl] }]]));

  it('are read once, and again for a new key', async () => {
    const session = await signUp();
    const first = await askToken(session);
    let time = 0;
    let reads = 0;
    const counting = Object.assign(Object.create(pool) as pg.Pool, {
      query: (text: string) => (reads++, pool.query(text)),
    });
    const verifier = verifierWith(localKeys(counting, () => time));
    await Promise.all([verifier.verify(first), verifier.verify(first)]);
    await verifier.verify(first);
    expect(reads).toBe(1);

    await pool.query(`UPDATE auth_keys SET "expiresAt" = now() - interval '1 second'`);
    const second = await askToken(session);
    await expect(verifier.verify(second)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(reads).toBe(1);
    time = 5_000;
    await expect(verifier.verify(second)).resolves.toMatchObject({ userId: expect.any(String) });
    await expect(verifier.verify(first)).resolves.toMatchObject({ userId: expect.any(String) });
    expect(reads).toBe(2);
  });

  it('are retired after a change of the secret, which ends all sessions once, while tokens stay valid', async () => {
    const old = createLocalAccounts(options);
    await old.prepare();
    const session = await signUp();
    const before = await askToken(session);
    const warnings: string[] = [];
    const ended: string[] = [];
    const changed = {
      ...options,
      secret: 'another secret of the tests that is long enough',
      logger: { warn: (_: object, message: string) => warnings.push(message), error: () => undefined },
      onSessionEnded: ({ id }: { id: string }) => ended.push(id),
    };
    const [accounts, second] = [createLocalAccounts(changed), createLocalAccounts(changed)];
    await Promise.all([accounts.prepare(), second.prepare()]);
    expect(warnings.filter((message) => message.includes('all sessions were ended'))).toHaveLength(1);
    expect(warnings.some((message) => message.includes('new signing keys'))).toBe(true);
    expect(new Set(ended).size).toBe(ended.length);
    expect(await readUser(session, accounts)).toBeUndefined();
    const later = await signUp(accounts);
    // A program that still has the old secret starts again, also long after.
    await pool.query(`UPDATE auth_secret_fingerprints SET added_at = added_at - interval '2 hours'`);
    await expect(old.prepare()).rejects.toThrow(ConfigurationError);
    expect(await readUser(later, accounts)).toBeDefined();
    const after = await askToken(later, accounts);
    const verifier = verifierWith(accounts.issuer.keys as ReturnType<typeof localKeys>);
    await expect(verifier.verify(after)).resolves.toMatchObject({ userId: expect.any(String) });
    await expect(verifier.verify(before)).resolves.toMatchObject({ userId: expect.any(String) });
    const back = createLocalAccounts({ ...options, previousSecret: changed.secret });
    await back.prepare();
    expect(await readUser(later, back)).toBeDefined();
  });

  it('are one key, even with simultaneous first processes and users', async () => {
    const empty = await testDatabase();
    const pools = [1, 2].map(() => testPool(empty.url, 4));
    const processes = pools.map((pool) => createLocalAccounts({ ...options, pool }));
    await Promise.all(processes.map((accounts) => accounts.prepare()));
    const { rows } = await pools[0]!.query<{ count: number }>('SELECT count(*)::int AS count FROM auth_keys');
    expect(rows).toEqual([{ count: 1 }]);
    await Promise.all(pools.map((pool) => pool.end()));
    await empty.drop();
  });

  it('make the call unavailable, not unauthenticated, if they cannot be read', async () => {
    const accounts = createLocalAccounts(options);
    await accounts.prepare();
    const token = await askToken(await signUp(accounts), accounts);
    const unavailable = new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
    await expect(verifierWith(localKeys(unavailable)).verify(token)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await unavailable.end();
  });
});
