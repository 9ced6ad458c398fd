import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { codeOf } from '../../../test/support/authenticator-app.js';
import { accountsOptions, call, newUser, publicUrl } from '../../../test/support/local-accounts.js';
import { testDatabase, testPool, type TestDatabase } from '../../../test/support/database.js';
import { ConfigurationError } from '#libs/config/configuration-error.js';
import { createDataSource } from '#libs/database/data-source.js';
import { createLocalAccounts } from './accounts.js';
import type { LocalAccountsOptions } from './options.js';
import { deleteSigningKeys, reEncrypt } from './secrets.js';

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

describe('a rotation of the secret', () => {
  const newSecret = 'another secret of the tests that is long enough';
  const cookiesOf = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
  const origin = publicUrl;

  it('keeps sessions, authenticator apps and keys while both are valid, and afterwards', async () => {
    const old = createLocalAccounts(options);
    await old.prepare();
    const [user, other] = [newUser(), newUser()];
    const cookie = cookiesOf(await old.handle(call('/sign-up/email', user, { origin })));
    const enabled = await old.handle(
      call('/two-factor/enable', { password: user.password }, { cookie, origin }),
    );
    const { totpURI, backupCodes } = (await enabled.json()) as { totpURI: string; backupCodes: string[] };
    const code = codeOf(new URL(totpURI).searchParams.get('secret')!);
    const verified = await old.handle(call('/two-factor/verify-totp', { code }, { cookie, origin }));
    expect(verified.status).toBe(200);
    const session = cookiesOf(verified);

    /** Signs in with a recovery code. */
    const recover = async (accounts: ReturnType<typeof createLocalAccounts>) => {
      const begun = cookiesOf(await accounts.handle(call('/sign-in/email', user, { origin })));
      const body = { code: backupCodes.shift() };
      return (await accounts.handle(call('/two-factor/verify-backup-code', body, { cookie: begun, origin })))
        .status;
    };
    const readSession = async (accounts: ReturnType<typeof createLocalAccounts>, sent: string) => {
      const response = await accounts.handle(call('/get-session', undefined, { cookie: sent }));
      return { response, user: ((await response.json()) as { user?: object } | null)?.user };
    };

    const both = createLocalAccounts({ ...options, secret: newSecret, previousSecret: options.secret });
    await both.prepare();
    const during = await readSession(both, session);
    expect(during.user).toMatchObject({ email: user.email });
    const renewed = cookiesOf(during.response);
    expect(renewed).toContain('session_token=');
    expect(during.response.headers.getSetCookie().join()).toContain('HttpOnly; SameSite=Lax');
    expect(await recover(both)).toBe(200);
    const signedIn = await old.handle(call('/sign-up/email', other, { origin }));
    const bearer = { authorization: `Bearer ${signedIn.headers.get('set-auth-token')}` };
    for (const accounts of [old, both])
      expect(await (await accounts.handle(call('/get-session', undefined, bearer))).json()).toMatchObject({
        user: { email: other.email },
      });

    const dataSource = await createDataSource({ url: database.url }).initialize();
    const secrets = { current: newSecret, previous: options.secret };
    expect(await reEncrypt(dataSource, secrets)).toMatchObject({ unreadable: 0 });
    expect(await reEncrypt(dataSource, secrets)).toEqual({ encrypted: 0, unreadable: 0 });
    await dataSource.destroy();
    const warnings: string[] = [];
    const after = createLocalAccounts({
      ...options,
      secret: newSecret,
      logger: { warn: (_, message) => warnings.push(message), error: () => undefined },
    });
    await after.prepare();
    expect(warnings).toEqual([]);
    expect((await readSession(after, renewed)).user).toMatchObject({ email: user.email });
    expect((await readSession(after, session)).user).toBeUndefined();
    expect(await recover(after)).toBe(200);

    const tokenOf = async () =>
      (await after.handle(call('/token', undefined, { cookie: renewed }))).json() as Promise<{
        token: string;
      }>;
    const kidOf = ({ token }: { token: string }) => Buffer.from(token.split('.')[0]!, 'base64url').toString();
    const before = kidOf(await tokenOf());
    const again = await createDataSource({ url: database.url }).initialize();
    expect(await deleteSigningKeys(again)).toBeGreaterThan(0);
    await again.destroy();
    expect(kidOf(await tokenOf())).not.toBe(before);
  });

  it('ends no session while programs with the old secret start, and a later change ends all in spite of it', async () => {
    const [first, second, third] = [newSecret, `${newSecret} 2`, `${newSecret} 3`];
    const prepare = (secret: string, previousSecret: string | null = null) =>
      createLocalAccounts({ ...options, secret, previousSecret }).prepare();
    const countSessions = async () => (await pool.query('SELECT FROM auth_sessions')).rowCount;
    await pool.query('DELETE FROM auth_secret_fingerprints');
    await prepare(options.secret);
    await createLocalAccounts(options).handle(call('/sign-up/email', newUser(), { origin }));
    const sessions = await countSessions();
    expect(sessions).toBeGreaterThan(0);
    await prepare(first, options.secret);
    await prepare(second, first);
    // Programs that were not replaced yet, with the AUTH_SECRET_PREVIOUS of the rotation before.
    await expect(prepare(first, options.secret)).rejects.toThrow(ConfigurationError);
    await expect(prepare(first)).rejects.toThrow(/^AUTH_SECRET was replaced by a newer one/);
    await prepare(second, first);
    await prepare(first, second);
    await prepare(second, first);
    expect(await countSessions()).toBe(sessions);
    await prepare(third, first);
    expect(await countSessions()).toBe(0);
  });

  it('ends all sessions and links of batches if the secret was changed before the first fingerprint was stored', async () => {
    const countSessions = async () => (await pool.query('SELECT FROM auth_sessions')).rowCount;
    const startAfterUpgrade = async (secret: string, previousSecret: string | null = null) => {
      await pool.query('DELETE FROM auth_secret_fingerprints');
      await createLocalAccounts({ ...options, secret, previousSecret }).prepare();
    };
    await pool.query('DELETE FROM auth_keys');
    const old = createLocalAccounts(options);
    await startAfterUpgrade(options.secret);
    await old.handle(call('/sign-up/email', newUser(), { origin }));
    const sessions = await countSessions();
    expect(sessions).toBeGreaterThan(0);
    await pool.query(`INSERT INTO users (id, name) VALUES ('ada', 'Ada')`);
    await pool.query(
      `INSERT INTO batches (id, user_id, tool, input, zip_key, request_hash)
       VALUES (gen_random_uuid(), 'ada', 'remove-image-background', '{}', 'first', '')`,
    );
    const readLink = async () => (await pool.query<{ zip_key: string }>('SELECT zip_key FROM batches')).rows;
    await startAfterUpgrade(options.secret);
    await startAfterUpgrade(newSecret, options.secret);
    expect([await countSessions(), await readLink()]).toEqual([sessions, [{ zip_key: 'first' }]]);
    await startAfterUpgrade(newSecret);
    expect(await countSessions()).toBe(0);
    expect(await readLink()).toEqual([{ zip_key: expect.stringMatching(/^.{43}$/) }]);
  });

  it('accepts no cookie that neither secret signed', async () => {
    const cookie = cookiesOf(
      await createLocalAccounts(options).handle(call('/sign-up/email', newUser(), { origin })),
    );
    const other = {
      ...options,
      secret: newSecret,
      previousSecret: 'a third secret of the tests, long enough',
    };
    const response = await createLocalAccounts(other).handle(call('/get-session', undefined, { cookie }));
    expect(await response.json()).toBeNull();
    expect(response.headers.getSetCookie().join()).not.toContain('session_token=ey');
  });
});
