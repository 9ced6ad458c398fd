import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { codeOf } from '../../../test/support/authenticator-app.js';
import { accountsOptions, call, newUser, publicUrl } from '../../../test/support/local-accounts.js';
import { testDatabase, type TestDatabase } from '../../../test/support/database.js';
import { createDataSource } from '#libs/database/data-source.js';
import { createLocalAccounts } from './accounts.js';
import type { LocalAccountsOptions } from './options.js';
import { reEncrypt } from './secrets.js';

let database: TestDatabase;
let pool: pg.Pool;
let options: LocalAccountsOptions;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  pool = new pg.Pool({ connectionString: database.url, max: 3 });
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
    const user = newUser();
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
