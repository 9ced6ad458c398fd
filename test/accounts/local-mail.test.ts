import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { codeOf } from '../support/authenticator-app.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { startEdgeApp, type EdgeApp } from '../support/edge-app.ts';
import { MailServer } from '../support/mail-server.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';

allowTimeForPrograms();

const PUBLIC_URL = 'http://localhost:4300';
let mail: MailServer;
let database: TestDatabase;
let edge: EdgeApp;

beforeAll(async () => {
  [mail, database] = await Promise.all([MailServer.start(), testDatabase()]);
  edge = await startEdgeApp(database.url, {
    ...mail.variables(),
    PUBLIC_URL,
    RATE_LIMIT_SIGN_IN: '1000',
    RATE_LIMIT_SIGN_UP: '1000',
  });
});
afterAll(async () => {
  await edge.close();
  await mail.stop();
  await database.drop();
});

let users = 0;
const somebody = () => ({ name: 'Ada <b>', email: `ada${++users}@example.com`, password: 'correct horse' });
type User = ReturnType<typeof somebody>;
const post = (path: string, json: object, token?: string) => edge.call(`/api/auth${path}`, { json, token });
const read = async <Body = { token: string; code: string; message: string }>(answer: Response) =>
  (await answer.json()) as Body;
/** Opens a link of a mail as a browser does; it leads to where the test's edge does not listen. */
const open = (link: string) => edge.call(link.slice(PUBLIC_URL.length), { redirect: 'manual' });

async function confirmed(user: User = somebody()): Promise<User> {
  await post('/sign-up/email', user);
  await open((await mail.next(user.email)).link);
  return user;
}
const signIn = async ({ email, password }: User) => post('/sign-in/email', { email, password });

describe('a new account with mail enabled', () => {
  it('is confirmed by a link before its first sign-in', async () => {
    const user = somebody();
    const signUp = await post('/sign-up/email', user);
    expect(signUp.status).toBe(200);
    expect((await read(signUp)).token).toBeNull();
    expect(signUp.headers.get('set-cookie')).toBeNull();

    const { source, link } = await mail.next(user.email);
    expect(source).toContain('From: Pressroom <no-reply@example.com>');
    expect(source).toContain('text/plain');
    expect(source).toContain('Ada &lt;b&gt;');
    expect(link.startsWith(`${PUBLIC_URL}/api/auth/verify-email?token=`)).toBe(true);

    const early = await signIn(user);
    expect([early.status, (await read(early)).code]).toEqual([403, 'EMAIL_NOT_VERIFIED']);
    await mail.next(user.email);

    const opened = await open(link);
    expect(opened.status).toBe(302);
    const again = await open(link);
    for (const { headers } of [opened, again])
      expect([headers.get('location'), headers.get('set-cookie')]).toEqual(['/?email=confirmed', null]);
    const session = await read(await signIn(user));
    expect(session.token).toEqual(expect.any(String));
    expect((await edge.call('/api/auth/token', { token: session.token })).status).toBe(200);
  });

  it('is not confirmed by a forged or damaged link', async () => {
    const user = somebody();
    await post('/sign-up/email', user);
    const { link } = await mail.next(user.email);
    const opened = await open(link.replace(/token=[^&]+/, 'token=eyJhbGciOiJIUzI1NiJ9.e30.AAAA'));
    expect(opened.headers.get('location')).toMatch(/error=/);
    expect((await signIn(user)).status).toBe(403);
  });

  it('is not disclosed: sign-up with a registered address gets the same answer, and its owner a mail', async () => {
    const user = await confirmed();
    const [again, fresh] = [
      await post('/sign-up/email', { ...user, password: 'another word' }),
      await post('/sign-up/email', somebody()),
    ];
    expect([again.status, fresh.status]).toEqual([200, 200]);
    const shape = (body: object) =>
      JSON.stringify(body, (key, value: unknown) => (typeof value === 'string' ? key : value));
    expect(shape(await read<object>(again))).toBe(shape(await read<object>(fresh)));
    expect((await mail.next(user.email)).source).toContain('already has an account');
    expect((await signIn(user)).status).toBe(200);
  });
});

describe('a forgotten password', () => {
  const ask = (email: string) => post('/request-password-reset', { email });

  it('is reset by a link that works once, and ends all sessions', async () => {
    const user = await confirmed();
    const { token: session } = await read(await signIn(user));
    expect((await ask(user.email)).status).toBe(200);
    const { link } = await mail.next(user.email);
    const [page, token = ''] = link.split('?token=');
    expect(page).toBe(`${PUBLIC_URL}/reset-password`);

    const trusted = () =>
      edge.app.get(DataSource).query<object[]>(`SELECT FROM auth_verifications WHERE "id" = 'trust'`);
    await edge.app.get(DataSource).query(
      `INSERT INTO auth_verifications ("id", "identifier", "value", "expiresAt")
       SELECT 'trust', 'trust-device-x', "id", now() + interval '1 day' FROM auth_users WHERE "email" = $1`,
      [user.email],
    );
    const tooShort = await post('/reset-password', { token, newPassword: 'short' });
    expect([tooShort.status, (await read(tooShort)).code]).toEqual([400, 'PASSWORD_TOO_SHORT']);
    for (const [newPassword, code] of [
      ['password1', 'PASSWORD_TOO_COMMON'],
      [user.email, 'PASSWORD_ABOUT_OWNER'],
    ]) {
      const refused = await post('/reset-password', { token, newPassword });
      expect([refused.status, (await read(refused)).code]).toEqual([400, code]);
    }
    expect(await trusted()).toHaveLength(1);
    expect((await post('/reset-password', { token, newPassword: 'a new password' })).status).toBe(200);
    expect(await trusted()).toEqual([]);
    expect((await mail.next(user.email)).source).toContain('was changed');
    expect((await edge.call('/api/auth/token', { token: session })).status).toBe(401);
    expect((await signIn(user)).status).toBe(401);
    expect((await signIn({ ...user, password: 'a new password' })).status).toBe(200);
    const again = await post('/reset-password', { token, newPassword: 'yet another word' });
    expect([again.status, (await read(again)).message]).toEqual([
      400,
      'This link is no longer valid. Ask for a new one.',
    ]);
  });

  it('is not reset by a link from before a change of the password or of the address', async () => {
    const user = await confirmed();
    const { token } = await read(await signIn(user));
    const links: string[] = [];
    for (let i = 0; i < 2; i += 1) {
      await ask(user.email);
      links.push((await mail.next(user.email)).link);
    }
    const use = async (link: string | undefined, newPassword: string) =>
      (await post('/reset-password', { token: link?.split('?token=')[1], newPassword })).status;
    const change = { currentPassword: user.password, newPassword: 'a second password' };
    expect((await post('/change-password', change, token)).status).toBe(200);
    expect(await use(links[0], 'not by this link')).toBe(400);

    await ask(user.email);
    expect(await use((await mail.next(user.email)).link, 'a third password')).toBe(200);
    expect(await use(links[1], 'not by this link')).toBe(400);
    await mail.next(user.email);

    const { token: session } = await read(await signIn({ ...user, password: 'a third password' }));
    await ask(user.email);
    const { link } = await mail.next(user.email);
    await moveTo(`left-${user.email}`, { ...user, password: 'a third password' }, session);
    expect(await use(link, 'not by this link')).toBe(400);
  });

  it('lets the owner sign in during guesses by others, in the browser that opened the link', async () => {
    const user = await confirmed();
    for (let i = 0; i < 5; i += 1) expect((await signIn({ ...user, password: 'a guess' })).status).toBe(401);
    // The wait of a few seconds lasts for all that follows.
    await edge.app
      .get(DataSource)
      .query(`UPDATE auth_rate_limits SET expire = expire + 600000 WHERE key LIKE 'guesses/%'`);
    expect((await signIn(user)).status).toBe(429);
    await ask(user.email);
    const [, token] = (await mail.next(user.email)).link.split('?token=');
    const json = { token, newPassword: 'a new password' };
    const reset = await edge.call('/api/auth/reset-password', { json });
    expect(reset.status).toBe(200);
    await mail.next(user.email);
    const cookie = reset.headers.getSetCookie()[0]!.split(';')[0]!;
    const owner = { ...user, password: 'a new password' };
    expect((await signIn(owner)).status).toBe(429);
    const again = await edge.call('/api/auth/sign-in/email', {
      json: owner,
      headers: { cookie, origin: PUBLIC_URL },
    });
    expect(again.status).toBe(200);
  });

  it('gets the same answer for an address without an account', async () => {
    const user = await confirmed();
    const answers = [await ask(user.email), await ask('nobody@example.com')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await read(answers[0]!)).toEqual(await read(answers[1]!));
    await mail.next(user.email);
    expect(mail.mails.filter(({ to }) => to.includes('nobody@example.com'))).toEqual([]);
  });

  it('sends at most one mail to an address within a time', async () => {
    const user = await confirmed();
    for (let i = 0; i < 8; i += 1) expect((await ask(user.email)).status).toBe(200);
    for (let i = 0; i < 5; i += 1) await mail.next(user.email);
    await confirmed();
    expect(mail.mails.filter(({ to }) => to.includes(user.email))).toEqual([]);
  });

  it('sends its mail again after the mail server was busy', async () => {
    const user = await confirmed();
    mail.refusals = 1;
    await ask(user.email);
    await mail.next(user.email);
  });
});

/** Changes a user's email address. @returns the links sent to the old and the new address */
async function moveTo(newEmail: string, user: User, session: string): Promise<[string, string]> {
  expect((await post('/change-email', { newEmail, password: user.password }, session)).status).toBe(200);
  const agree = await mail.next(user.email);
  expect(agree.source).toContain(newEmail);
  await open(agree.link);
  const confirm = await mail.next(newEmail);
  await open(confirm.link);
  return [agree.link, confirm.link];
}

describe('a change of the address', () => {
  it('is made once, when both the old and the new address have confirmed', async () => {
    const user = await confirmed();
    const { token } = await read(await signIn(user));
    const newEmail = `new-${user.email}`;
    const without = await post('/change-email', { newEmail }, token);
    expect([without.status, (await read(without)).code]).toEqual([400, 'PASSWORD_REQUIRED']);
    const wrong = await post('/change-email', { newEmail, password: 'not the one' }, token);
    expect([wrong.status, (await read(wrong)).code]).toEqual([400, 'INVALID_PASSWORD']);
    const links = await moveTo(newEmail, user, token);
    expect((await signIn({ ...user, email: newEmail })).status).toBe(200);
    expect((await signIn(user)).status).toBe(401);

    // Another user may sign up with the old address.
    const heir = await confirmed({ ...somebody(), email: user.email });
    await edge.app.get(DataSource).query(
      `UPDATE auth_accounts SET "updatedAt" = now() + interval '2 seconds'
       WHERE "userId" = (SELECT "id" FROM auth_users WHERE "email" = $1)`,
      [heir.email],
    );
    for (const link of links) {
      const opened = await open(link);
      expect([opened.headers.get('location'), opened.headers.get('set-cookie')]).toEqual([
        expect.stringContaining('error=INVALID_TOKEN'),
        null,
      ]);
    }
    expect((await signIn(heir)).status).toBe(200);
  });

  it('does not sign in: its links work in any browser and create no session', async () => {
    const user = await confirmed();
    const { token } = await read(await signIn(user));
    const newEmail = `new-${user.email}`;
    await post('/change-email', { newEmail, password: user.password }, token);
    await open((await mail.next(user.email)).link);
    const opened = await open((await mail.next(newEmail)).link);
    expect(opened.headers.get('location')).toBe('/?email=confirmed');
    expect(opened.headers.get('set-cookie')).not.toContain('session_token');
    const sessions = await edge.app
      .get(DataSource)
      .query<object[]>(
        `SELECT FROM auth_sessions WHERE "userId" = (SELECT "id" FROM auth_users WHERE "email" = $1)`,
        [newEmail],
      );
    expect(sessions).toHaveLength(1);
    expect((await edge.call('/api/auth/token', { token })).status).toBe(200);
    expect((await signIn({ ...user, email: newEmail })).status).toBe(200);
  });
});

describe('an account with an authenticator app', () => {
  it('is told that somebody has its password and enters wrong codes', async () => {
    const user = await confirmed();
    const { token } = await read(await signIn(user));
    const { password } = user;
    const { totpURI } = await read<{ totpURI: string }>(
      await post('/two-factor/enable', { password }, token),
    );
    const code = codeOf(new URL(totpURI).searchParams.get('secret')!);
    expect((await post('/two-factor/verify-totp', { code }, token)).status).toBe(200);
    for (let n = 0; n < 12; n += 1) {
      const cookie = (await signIn(user)).headers
        .getSetCookie()
        .map((text) => text.split(';')[0])
        .join('; ');
      await edge.call('/api/auth/two-factor/verify-totp', {
        json: { code: '000000' },
        headers: { cookie, origin: PUBLIC_URL },
      });
    }
    const { source } = await mail.next(user.email);
    expect(source).toContain('ten wrong codes');
    expect(mail.mails.filter(({ to }) => to.includes(user.email))).toEqual([]);
  });
});
