import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { symmetricDecrypt } from 'better-auth/crypto';
import { encryptionKey } from '#libs/accounts/local/secrets.js';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { OperatorAccess } from '#libs/operators/operator-access.js';
import { AdminSessions } from '../admin/admin-sessions.js';
import { hasSecondFactor, removeSecondFactors } from '#libs/accounts/second-factor.js';
import { codeOf as appCode } from '../../test/support/authenticator-app.js';
import { PasskeyDevice } from '../../test/support/passkey-device.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.js';
import { startEdgeApp, type EdgeApp } from '../../test/support/edge-app.js';
import { rows } from '../../test/support/sql.js';
import { allowTimeForPrograms } from '../../test/support/time-limits.js';
import { until } from '../../test/support/until.js';

allowTimeForPrograms();

const PASSWORD = 'correct horse';
let database: TestDatabase;
let edge: EdgeApp;
let dataSource: DataSource;

beforeAll(async () => {
  database = await testDatabase();
  edge = await startEdgeApp(database.url, { RATE_LIMIT_SIGN_IN: '1000', RATE_LIMIT_SIGN_UP: '1000' });
  dataSource = edge.app.get(DataSource);
});
afterAll(async () => {
  await edge.close();
  await database.drop();
});

interface Answer {
  status: number;
  body: {
    code: string;
    message: string;
    token: string;
    totpURI: string;
    backupCodes: string[];
    twoFactorRedirect: boolean;
    user: { id: string };
    challenge: string;
  };
}

/** A simulated browser that keeps cookies. */
class Browser {
  private readonly cookies = new Map<string, string>();

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async call(path: string, json?: object): Promise<Answer> {
    const answer = await edge.call(`/api/auth${path}`, {
      json,
      headers: { origin: edge.config.publicUrl, ...(this.cookie && { cookie: this.cookie }) },
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '' || /max-age=0/i.test(set)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  }

  readonly signIn = (email: string) => this.call('/sign-in/email', { email, password: PASSWORD });
  readonly verify = (code: string, more: object = {}) =>
    this.call('/two-factor/verify-totp', { code, ...more });
  readonly isSignedIn = async () => (await this.call('/token')).status === 200;
}

const codeOf = (uri: string, later = 0) => appCode(new URL(uri).searchParams.get('secret')!, later);

let users = 0;
async function signUp() {
  const browser = new Browser();
  const email = `ada${(users += 1)}@example.com`;
  const { body } = await browser.call('/sign-up/email', { name: 'Ada', email, password: PASSWORD });
  return { browser, email, id: body.user.id };
}

/** Signs up a user and sets up an authenticator app. */
async function withApp() {
  const user = await signUp();
  const { body } = await user.browser.call('/two-factor/enable', { password: PASSWORD });
  const [used, next] = [codeOf(body.totpURI), codeOf(body.totpURI, 1)];
  expect((await user.browser.verify(used)).status).toBe(200);
  return { ...user, uri: body.totpURI, used, next, backupCodes: body.backupCodes };
}

const challengeOf = async (browser: Browser, kind: 'register' | 'authenticate') =>
  (await browser.call(`/passkey/generate-${kind}-options`)).body.challenge;
const addPasskey = async (browser: Browser, device: PasskeyDevice) =>
  browser.call('/passkey/verify-registration', {
    response: device.register(await challengeOf(browser, 'register')),
    password: PASSWORD,
    name: 'My laptop',
  });
const signInWith = async (device: PasskeyDevice, browser = new Browser()) =>
  browser.call('/passkey/verify-authentication', {
    response: device.authenticate(await challengeOf(browser, 'authenticate')),
  });

const sessionsOf = (userId: string) =>
  rows<{ id: string; method: string | null }>(
    dataSource,
    `SELECT id, method FROM auth_sessions WHERE "userId" = $1`,
    [userId],
  );

describe('an authenticator app', () => {
  it('replaces the session, whose new cookie a read with the old one does not clear', async () => {
    const { browser } = await signUp();
    const old = browser.cookie;
    const { totpURI } = (await browser.call('/two-factor/enable', { password: PASSWORD })).body;
    expect((await browser.verify(codeOf(totpURI))).status).toBe(200);
    for (const path of ['/get-session', '/token']) {
      const read = await edge.call(`/api/auth${path}`, { headers: { cookie: old } });
      expect(read.headers.getSetCookie().filter((cookie) => cookie.includes('session_token='))).toEqual([]);
    }
    expect(await browser.isSignedIn()).toBe(true);
  });

  it('is set up with the password and a code, and ends sessions that began without it', async () => {
    const { browser, email, id } = await signUp();
    const elsewhere = new Browser();
    await elsewhere.signIn(email);
    expect((await browser.call('/two-factor/enable', { password: 'not the one' })).body.code).toBe(
      'INVALID_PASSWORD',
    );
    const { body } = await browser.call('/two-factor/enable', { password: PASSWORD });
    expect(body.totpURI).toMatch(/^otpauth:\/\/totp\/Pressroom/);
    expect(body.backupCodes).toHaveLength(10);
    // Without 0 and o, 1, i and l.
    for (const code of body.backupCodes)
      expect(code).toMatch(/^(?:[a-hjkmnp-z2-9]{4}-){2}[a-hjkmnp-z2-9]{4}$/);
    expect((await browser.verify('000000')).body.code).toBe('INVALID_CODE');
    expect((await new Browser().signIn(email)).body.twoFactorRedirect).toBeUndefined();

    expect((await browser.verify(codeOf(body.totpURI))).status).toBe(200);
    expect([await browser.isSignedIn(), await elsewhere.isSignedIn()]).toEqual([true, false]);
    expect((await browser.call('/get-session')).body).toMatchObject({ user: { twoFactorEnabled: true } });
    expect(await sessionsOf(id)).toHaveLength(1);
  });

  it('is stored encrypted, and deleted with the account', async () => {
    const { browser, id, uri, backupCodes } = await withApp();
    const read = () =>
      rows<{ secret: string; backupCodes: string }>(
        dataSource,
        `SELECT * FROM auth_two_factors WHERE "userId" = $1`,
        [id],
      );
    const [row] = await read();
    const stored = JSON.stringify(row);
    for (const plain of [new URL(uri).searchParams.get('secret')!, ...backupCodes])
      expect(stored).not.toContain(plain);
    const key = encryptionKey({ current: '7d3f0b9c5a1e8642f0c7b3d95e1a6480', previous: null });
    expect(JSON.parse(await symmetricDecrypt({ key, data: row!.backupCodes }))).toEqual(backupCodes);
    await rows(dataSource, `DELETE FROM auth_users WHERE "id" = $1`, [id]);
    expect(await read()).toEqual([]);
    expect(await browser.isSignedIn()).toBe(false);
  });

  it('is required after the password, and accepts each code once', async () => {
    const { email, used, next } = await withApp();
    const browser = new Browser();
    const asked = await browser.signIn(email);
    expect([asked.status, asked.body.twoFactorRedirect, asked.body.token]).toEqual([200, true, undefined]);
    expect(await browser.isSignedIn()).toBe(false);
    const refused = await browser.verify(used);
    expect([refused.status, refused.body.code]).toEqual([401, 'CODE_USED']);
    const answers = await Promise.all([browser.verify(next), browser.verify(next)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await browser.isSignedIn()).toBe(true);
    const again = new Browser();
    await again.signIn(email);
    expect((await again.verify(next)).body.code).toBe('CODE_USED');
    // Simulates that the server forgot the used codes, while the code is still valid.
    await rows(dataSource, `DELETE FROM auth_rate_limits WHERE key LIKE 'code/%'`);
    expect((await again.verify(next)).status).toBe(200);
  });

  it('allows five guesses after one password', async () => {
    const { email, next } = await withApp();
    const browser = new Browser();
    await browser.signIn(email);
    for (let i = 0; i < 5; i += 1) expect((await browser.verify(`00000${i}`)).body.code).toBe('INVALID_CODE');
    expect((await browser.verify(next)).body.message).toBe('Too many wrong codes. Sign in again.');
    expect(await browser.isSignedIn()).toBe(false);
  });

  it('allows ten guesses in 15 minutes, while what the owner has keeps working', async () => {
    const { browser: owner, email, used, next, backupCodes } = await withApp();
    const device = new PasskeyDevice(edge.config.publicUrl);
    await addPasskey(owner, device);
    const stranger = new Browser();
    for (let i = 0; i < 10; i += 1) {
      if (i % 5 === 0) await stranger.signIn(email);
      await stranger.verify(`00000${i}`);
    }
    await stranger.signIn(email);
    const locked = await stranger.verify(used);
    expect([locked.status, locked.body.code]).toEqual([429, 'ACCOUNT_TEMPORARILY_LOCKED']);
    expect(locked.body.message).toMatch(/recovery code/);
    expect((await signInWith(device)).status).toBe(200);
    const recovered = await stranger.call('/two-factor/verify-backup-code', { code: backupCodes[0] });
    expect(recovered.status).toBe(200);
    await owner.call('/sign-out', {});
    expect((await owner.signIn(email)).body.twoFactorRedirect).toBe(true);
    expect((await owner.verify(next)).status).toBe(200);
  });

  it('reveals its secret once, and sends no codes by mail', async () => {
    const { browser } = await withApp();
    for (const path of ['/two-factor/get-totp-uri', '/two-factor/send-otp', '/two-factor/verify-otp'])
      expect((await browser.call(path, { password: PASSWORD, code: '000000' })).status).toBe(404);
    const again = await browser.call('/two-factor/enable', { password: PASSWORD });
    expect([again.status, again.body.totpURI]).toEqual([400, undefined]);
  });

  it('can be replaced by a recovery code once, also by six requests at once', async () => {
    const { email, backupCodes } = await withApp();
    const browsers = Array.from({ length: 6 }, () => new Browser());
    for (const browser of browsers) await browser.signIn(email);
    const recover = async (browser: Browser) => {
      const { status, body } = await browser.call('/two-factor/verify-backup-code', { code: backupCodes[0] });
      return status === 200 ? status : `${status} ${body.code}`;
    };
    // Two requests read the codes before one of them can store that the code was used.
    const client = new pg.Client(database.url);
    await client.connect();
    const first = await (async () => {
      await client.query('BEGIN');
      await client.query('SELECT FROM auth_two_factors FOR UPDATE');
      const answers = browsers.slice(0, 2).map(recover);
      await until('two updates', async () => {
        // A transaction otherwise sees the activity at its first look.
        await client.query('SELECT pg_stat_clear_snapshot()');
        const { rows } = await client.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE 'update%auth_two_factors%'`,
        );
        return rows[0]!.count === 2;
      });
      await client.query('COMMIT');
      return Promise.all(answers);
    })().finally(() => client.end());
    expect(first.sort()).toEqual([200, '409 BACKUP_CODE_CONFLICT']);
    const others = await Promise.all(browsers.slice(2).map(recover));
    expect(others).toEqual(Array(4).fill('401 INVALID_BACKUP_CODE'));
  });

  it('can be replaced by a recovery code, once', async () => {
    const { email, backupCodes } = await withApp();
    const [code] = backupCodes;
    const recover = async () => {
      const browser = new Browser();
      await browser.signIn(email);
      return browser.call('/two-factor/verify-backup-code', { code });
    };
    expect((await recover()).status).toBe(200);
    const again = await recover();
    expect([again.status, again.body.code]).toEqual([401, 'INVALID_BACKUP_CODE']);
  });

  it.each(['/revoke-other-sessions', '/revoke-sessions'])(
    'is asked for in a trusted browser again after %s',
    async (path) => {
      const { browser, email, next } = await withApp();
      const trusted = new Browser();
      await trusted.signIn(email);
      await trusted.verify(next, { trustDevice: true });
      expect((await browser.call(path, {})).status).toBe(200);
      expect((await trusted.signIn(email)).body.twoFactorRedirect).toBe(true);
    },
  );

  it('is not required in a trusted browser until the password changes', async () => {
    const { email, next, browser: owner } = await withApp();
    const browser = new Browser();
    await browser.signIn(email);
    expect((await browser.verify(next, { trustDevice: true })).status).toBe(200);
    await browser.call('/sign-out', {});
    expect((await browser.signIn(email)).body.token).toEqual(expect.any(String));
    await browser.call('/sign-out', {});
    expect((await new Browser().signIn(email)).body.twoFactorRedirect).toBe(true);

    const change = { currentPassword: PASSWORD, newPassword: 'another password' };
    expect((await owner.call('/change-password', change)).status).toBe(200);
    const after = await browser.call('/sign-in/email', { email, password: 'another password' });
    expect(after.body.twoFactorRedirect).toBe(true);
  });

  it.each([
    ['/update-user', { twoFactorEnabled: false }],
    ['/update-user', { twoFactorEnabled: null }],
    ['/update-session', { method: 'passkey' }],
    ['/two-factor/enable', { password: PASSWORD, method: 'otp' }],
  ])('is not turned off, nor replaced, by %s %j', async (path, body) => {
    const { browser, email, id } = await withApp();
    await browser.call(path, body);
    expect((await new Browser().signIn(email)).body.twoFactorRedirect).toBe(true);
    expect((await sessionsOf(id)).map(({ method }) => method)).toEqual([null]);
  });

  it('is removed with the password', async () => {
    const { browser, email } = await withApp();
    expect((await browser.call('/two-factor/disable', { password: 'not the one' })).status).toBe(400);
    expect((await browser.call('/two-factor/disable', { password: PASSWORD })).status).toBe(200);
    expect((await new Browser().signIn(email)).body.token).toEqual(expect.any(String));
  });

  it('can be removed by an operator for a locked-out user', async () => {
    const { email, id } = await withApp();
    await removeSecondFactors(dataSource, id);
    expect((await new Browser().signIn(email)).body.token).toEqual(expect.any(String));
  });
});

describe('a passkey', () => {
  it('is not added without the password, nor without the device’s user verification', async () => {
    const { browser } = await signUp();
    const options = await browser.call('/passkey/generate-register-options');
    expect(options.body).toMatchObject({
      rp: { id: 'localhost', name: 'Pressroom' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const without = await browser.call('/passkey/verify-registration', { response: {} });
    expect([without.status, without.body.code]).toEqual([400, 'PASSWORD_REQUIRED']);
    const wrong = await browser.call('/passkey/verify-registration', {
      response: {},
      password: 'not the one',
    });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_PASSWORD']);
    expect((await browser.call('/verify-password', { password: PASSWORD })).status).toBe(200);
  });

  /** Signs up, adds a passkey, and signs in with it. */
  async function withPasskey() {
    const { email, id, browser: first } = await signUp();
    const device = new PasskeyDevice(edge.config.publicUrl);
    expect((await addPasskey(first, device)).status).toBe(200);
    await first.call('/sign-out', {});
    const browser = new Browser();
    expect((await signInWith(device, browser)).status).toBe(200);
    const [passkey] = await rows<{ id: string }>(
      dataSource,
      `SELECT id FROM auth_passkeys WHERE "userId" = $1`,
      [id],
    );
    return { browser, email, id, device, passkey: passkey!.id };
  }

  it('replaces the password and the code of an app', async () => {
    const { browser, email } = await withApp();
    const device = new PasskeyDevice(edge.config.publicUrl);
    expect((await addPasskey(browser, device)).status).toBe(200);
    const other = new Browser();
    expect((await signInWith(device, other)).status).toBe(200);
    expect((await other.call('/get-session')).body).toMatchObject({
      user: { email },
      session: { method: 'passkey' },
    });
  });

  it('is refused without the device’s user verification', async () => {
    const { browser, device } = await withPasskey();
    device.isUserVerified = false;
    const refused = await signInWith(device);
    expect([refused.status, refused.body.code]).toEqual([401, 'PASSKEY_WITHOUT_VERIFICATION']);
    const other = new PasskeyDevice(edge.config.publicUrl);
    other.isUserVerified = false;
    const notAdded = await addPasskey(browser, other);
    expect([notAdded.status, notAdded.body.code]).toEqual([401, 'PASSKEY_WITHOUT_VERIFICATION']);
  });

  it('signs in once with a device’s signature, for our page and with its own key', async () => {
    const { device } = await withPasskey();
    const browser = new Browser();
    const response = device.authenticate(await challengeOf(browser, 'authenticate'));
    const verify = (from: Browser) => from.call('/passkey/verify-authentication', { response });
    expect((await verify(browser)).status).toBe(200);
    expect((await verify(browser)).body.code).toBe('CHALLENGE_NOT_FOUND');
    const thief = new Browser();
    await challengeOf(thief, 'authenticate');
    expect((await verify(thief)).status).toBe(400);

    const forged = new PasskeyDevice(edge.config.publicUrl);
    expect((await signInWith(Object.assign(forged, { id: device.id }))).status).toBe(401);
    const elsewhere = Object.assign(device, { origin: 'http://localhost:4301' });
    expect((await signInWith(elsewhere)).status).toBe(400);
    expect(await thief.isSignedIn()).toBe(false);
  });

  it('is removed with the password, and its sessions lose the second factor', async () => {
    const { browser, id, passkey } = await withPasskey();
    const remove = (json: object, from = browser) =>
      from.call('/passkey/delete-passkey', { id: passkey, ...json });
    expect((await remove({})).body.code).toBe('PASSWORD_REQUIRED');
    expect((await remove({ password: 'not the one' })).body.code).toBe('INVALID_PASSWORD');
    expect((await remove({ password: PASSWORD }, (await signUp()).browser)).status).toBe(401);
    const [session] = await sessionsOf(id);
    expect(await hasSecondFactor(dataSource, session!.id)).toBe(true);
    expect((await remove({ password: PASSWORD })).status).toBe(200);
    expect(await hasSecondFactor(dataSource, session!.id)).toBe(false);
  });

  it('counts for a session that replaces its own, but for no other', async () => {
    const { browser, email, id } = await withPasskey();
    const methods = async () => (await sessionsOf(id)).map(({ method }) => method);
    await browser.call('/sign-in/email', { email, password: PASSWORD });
    expect(await methods()).toEqual([null]);
    await rows(dataSource, `UPDATE auth_sessions SET "method" = 'passkey' WHERE "userId" = $1`, [id]);
    const { totpURI } = (await browser.call('/two-factor/enable', { password: PASSWORD })).body;
    await browser.verify(codeOf(totpURI));
    expect(await methods()).toEqual(['passkey']);
  });
});

describe('operators who need a second factor', () => {
  it('have no access before they have one, and none after they removed it', async () => {
    const { browser, id } = await signUp();
    await dataSource.query(`INSERT INTO users (id, name, role) VALUES ($1, 'Ada', 'admin')`, [id]);
    const admins = new AdminSessions(dataSource, new OperatorAccess(dataSource, true));
    const open = async () => {
      const [session] = await sessionsOf(id);
      return admins.open({ userId: id, sessionId: session!.id });
    };
    await expect(open()).rejects.toMatchObject({ code: 'TWO_FACTOR_REQUIRED' });

    const { body } = await browser.call('/two-factor/enable', { password: PASSWORD });
    await expect(open()).rejects.toMatchObject({ code: 'TWO_FACTOR_REQUIRED' });
    await browser.verify(codeOf(body.totpURI));
    const board = await open();
    expect(await admins.find(board)).toBe(id);

    await browser.call('/two-factor/disable', { password: PASSWORD });
    expect(await admins.find(board)).toBeUndefined();
    await expect(open()).rejects.toMatchObject({ code: 'TWO_FACTOR_REQUIRED' });
    const [session] = await sessionsOf(id);
    await dataSource.query(`UPDATE auth_sessions SET "method" = 'passkey' WHERE "id" = $1`, [session!.id]);
    const byPasskey = await open();
    expect(await admins.find(byPasskey)).toBe(id);
  });
});
