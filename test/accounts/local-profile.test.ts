import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { io } from 'socket.io-client';
import type { Account } from '#libs/contract/account.js';
import { rows } from '../support/sql.ts';
import { applyRetention } from '#libs/creations/retention.js';
import {
  form,
  json,
  startInProcessProduct,
  type SignedInUser,
  type InProcessProduct,
} from '../support/in-process-product.ts';
import { until } from '../support/until.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';

allowTimeForPrograms();

let product: InProcessProduct;
beforeAll(async () => {
  product = await startInProcessProduct({ RATE_LIMIT_SIGN_IN: '1000' });
});
afterAll(() => product.stop());

const PASSWORD = 'a long password';
const auth = (path: string, session: string, body?: object) =>
  fetch(`${product.origin}/api/auth${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
async function signIn({ email }: SignedInUser, password = PASSWORD): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ email, password });
  const answer = await fetch(`${product.origin}/api/auth/sign-in/email`, { method: 'POST', headers, body });
  return answer.ok ? (await json(answer)).token : String(answer.status);
}
const isAlive = async (session: string) => (await auth('/token', session)).status === 200;
async function idOf(session: string): Promise<string> {
  const found = await rows<{ id: string }>(
    product.dataSource,
    `SELECT id FROM auth_sessions WHERE "token" = $1`,
    [session.split('.')[0]],
  );
  return found[0]!.id;
}
const profileOf = async (client: SignedInUser) =>
  (await json(await client.call('/api/user/account'))).profile;

describe('the profile', () => {
  it('has a new name at once, also in open pages, and a token made before does not bring the old one back', async () => {
    const ada = await product.signUp('Ada');
    const socket = io(product.origin, { auth: { token: ada.token }, transports: ['websocket'] });
    const accounts: Account[] = [];
    socket.on('account', (account: Account) => accounts.push(account));
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    expect((await auth('/update-user', await signIn(ada), { name: ' Ada Lovelace ' })).status).toBe(200);
    await until(
      'open pages to receive the new name',
      () => accounts.at(-1)?.profile.fullName === 'Ada Lovelace',
    );
    expect(await profileOf(ada)).toMatchObject({ fullName: 'Ada Lovelace' });
    expect((await auth('/update-user', await signIn(ada), { name: ' ' })).status).toBe(400);
    socket.close();
  });

  it('stores a picture, square and small, at an address without the user’s id, and deletes it', async () => {
    const ada = await product.signUp('Ada');
    const photo = await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#a33' } })
      .withExif({ IFD0: { Copyright: 'a private place' } })
      .jpeg()
      .toBuffer();
    const put = (bytes: Uint8Array, name = 'me.jpg') =>
      ada.call('/api/user/picture', { method: 'PUT', body: form({ picture: { bytes, name } }) });
    const answer = await put(photo);
    expect(answer.status).toBe(200);
    const { imageUrl } = (await json(answer)).profile;
    expect(imageUrl).toMatch(new RegExp(`^${product.origin}/files/[\\w-]{43}$`));
    const shown = Buffer.from(await (await fetch(imageUrl!)).arrayBuffer());
    const { width, height, format, exif } = await sharp(shown).metadata();
    expect({ width, height, format, exif }).toEqual({
      width: 512,
      height: 512,
      format: 'webp',
      exif: undefined,
    });
    const session = await json(await auth('/get-session', await signIn(ada)));
    expect(session).toMatchObject({ user: { image: imageUrl } });

    const second = (await json(await put(photo))).profile.imageUrl!;
    expect((await fetch(imageUrl!)).status).toBe(404);
    await product.sql(`UPDATE objects SET created_at = now() - interval '2 days' WHERE kind = 'picture'`);
    await product.files.sweep();
    expect((await fetch(second)).status).toBe(200);

    expect(
      (await json(await ada.call('/api/user/picture', { method: 'DELETE' }))).profile.imageUrl,
    ).toBeNull();
    expect((await fetch(second)).status).toBe(404);
    const third = (await json(await put(photo))).profile.imageUrl!;
    await auth('/update-user', await signIn(ada), { image: null });
    await product.sql(`UPDATE objects SET created_at = now() - interval '2 hours' WHERE kind = 'picture'`);
    await product.files.sweep();
    expect([(await profileOf(ada)).imageUrl, (await fetch(third)).status]).toEqual([null, 404]);
    expect((await put(Buffer.from('no picture'))).status).toBe(415);
    expect((await put(Buffer.concat([photo.subarray(0, 12), Buffer.alloc(50)]))).status).toBe(422);
    expect((await put(Buffer.concat([photo, Buffer.alloc(11 * 1024 * 1024)]))).status).toBe(413);
    const none = await ada.call('/api/user/picture', { method: 'PUT', body: form({}) });
    expect([none.status, (await json(none)).message]).toEqual([400, 'Choose a picture.']);
    expect((await fetch(`${product.origin}/api/user/picture`, { method: 'PUT' })).status).toBe(401);
    expect(product.spooled()).toEqual([]);
  });
});

describe('password and sessions', () => {
  it('a changed password ends the other sessions', async () => {
    const ada = await product.signUp('Ada');
    const [mine, other] = [await signIn(ada), await signIn(ada)];
    const change = (currentPassword: string, newPassword: string) =>
      auth('/change-password', mine, { currentPassword, newPassword, revokeOtherSessions: true });
    expect((await change('not the one', 'another password')).status).toBe(400);
    for (const refused of ['short', 'PassWord1', 'pressroom!'])
      expect((await change(PASSWORD, refused)).status).toBe(400);
    const changed = await change(PASSWORD, 'another password');
    expect(changed.status).toBe(200);
    expect(await isAlive(other)).toBe(false);
    expect(await isAlive((await json(changed)).token)).toBe(true);
    expect(await signIn(ada)).toBe('401');
    expect(await signIn(ada, 'another password')).toMatch(/.{20}/);
  });

  it('sessions are listed for their user only, and can be ended', async () => {
    const [ada, eve] = [await product.signUp('Ada'), await product.signUp('Eve')];
    const [mine, other, hers] = [await signIn(ada), await signIn(ada), await signIn(eve)];
    const answer = await (await auth('/list-sessions', mine)).text();
    for (const secret of [mine, other]) expect(answer).not.toContain(secret.split('.')[0]);
    const sessions = JSON.parse(answer) as { id: string; userId: string }[];
    expect(new Set(sessions.map(({ userId }) => userId))).toEqual(new Set([ada.id]));
    const id = await idOf(other);
    expect(sessions.map((session) => session.id)).toEqual(expect.arrayContaining([await idOf(mine), id]));
    await auth('/revoke-session', hers, { id });
    expect(await isAlive(other)).toBe(true);
    expect((await auth('/revoke-session', mine, { id })).status).toBe(200);
    expect([await isAlive(other), await isAlive(mine)]).toEqual([false, true]);
  });

  it('sessions are listed to a user who signed in days ago, with the last use to the hour', async () => {
    const ada = await product.signUp('Ada');
    const session = await signIn(ada);
    await product.sql(
      `UPDATE auth_sessions SET "createdAt" = now() - interval '9 days', "updatedAt" = now() - interval '2 hours',
         "expiresAt" = now() + interval '30 days' - interval '2 hours' WHERE "token" = $1`,
      [session.split('.')[0]],
    );
    expect(await isAlive(session)).toBe(true);
    const listed = await auth('/list-sessions', session);
    expect(listed.status).toBe(200);
    const own = await idOf(session);
    const [seen] = ((await listed.json()) as { id: string; updatedAt: string }[])
      .filter(({ id }) => id === own)
      .map(({ updatedAt }) => Date.now() - Date.parse(updatedAt));
    expect(seen).toBeLessThan(60_000);
  });

  it('open pages ask for a new token when another session ends theirs, but not after a sign-out', async () => {
    const ada = await product.signUp('Ada');
    const [mine, other, third] = [await signIn(ada), await signIn(ada), await signIn(ada)];
    const socket = io(product.origin, { auth: { token: ada.token }, transports: ['websocket'] });
    const notices: number[] = [];
    socket.on('token:expiring', ({ seconds }: { seconds: number }) => notices.push(seconds));
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    expect((await auth('/sign-out', third, {})).status).toBe(200);
    await auth('/revoke-session', mine, { id: await idOf(other) });
    await until('open pages are asked', () => notices.length > 0);
    expect(notices).toEqual([0]);
    socket.close();
  });

  it('the last token of a session ends with it within seconds, and so do its sockets; others stay', async () => {
    const ada = await product.signUp('Ada');
    const [mine, other, third] = [await signIn(ada), await signIn(ada), await signIn(ada)];
    const tokenOf = async (session: string) => (await json(await auth('/token', session))).token;
    const [kept, revoked, left] = [await tokenOf(mine), await tokenOf(other), await tokenOf(third)];
    const connect = async (token: string) => {
      const socket = io(product.origin, { auth: { token }, reconnection: false, transports: ['websocket'] });
      await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
      return socket;
    };
    const [own, his] = [await connect(kept), await connect(revoked)];
    const status = async (token: string) =>
      (
        await fetch(`${product.origin}/api/user/account`, {
          headers: { Authorization: `Bearer ${token}` },
        })
      ).status;
    expect(await Promise.all([kept, revoked, left].map(status))).toEqual([200, 200, 200]);

    await auth('/revoke-session', mine, { id: await idOf(other) });
    await auth('/sign-out', third, {});
    await until('both tokens are refused', async () =>
      (await Promise.all([revoked, left].map(status))).every((one) => one === 401),
    );
    await until('the socket is closed', () => his.disconnected);
    expect([await status(kept), own.connected]).toEqual([200, true]);
    own.close();
  });

  it('an ended session is not renewed by its cookie', async () => {
    const ada = await product.signUp('Ada');
    const answer = await fetch(`${product.origin}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: ada.email, password: PASSWORD }),
    });
    const cookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const renew = async () =>
      (await fetch(`${product.origin}/api/auth/token`, { headers: { cookie } })).status;
    expect(await renew()).toBe(200);
    await auth('/revoke-other-sessions', await signIn(ada), {});
    expect(await renew()).toBe(401);
  });

  it('retention deletes expired sessions, and sessions of 90 days that are still used', async () => {
    const ada = await product.signUp('Ada');
    const [live, dead, used] = [await signIn(ada), await signIn(ada), await signIn(ada)];
    await product.sql(
      `UPDATE auth_sessions SET "expiresAt" = now() - interval '1 minute' WHERE "token" = $1`,
      [dead.split('.')[0]],
    );
    const age = (session: string, days: number) =>
      product.sql(
        `UPDATE auth_sessions SET "createdAt" = now() - make_interval(days => $2) WHERE "token" = $1`,
        [session.split('.')[0], days],
      );
    await age(live, 89);
    await age(used, 91);
    await product.sql(
      `INSERT INTO auth_verifications ("id", "identifier", "value", "expiresAt") VALUES ('old', 'x', 'y', now() - interval '1 minute')`,
    );
    await applyRetention(product.dataSource, product.files, product.config.jobs);
    expect([await isAlive(live), await isAlive(used)]).toEqual([true, false]);
    expect(await rows(product.dataSource, `SELECT FROM auth_sessions WHERE "expiresAt" < now()`)).toEqual([]);
    expect(await rows(product.dataSource, `SELECT FROM auth_verifications WHERE "id" = 'old'`)).toEqual([]);
  });
});

describe('deleting the account', () => {
  it('needs the password, and deletes all data', async () => {
    const ada = await product.signUp('Ada');
    await ada.call('/api/ai/probe-image', { json: { object: 'a fox' } });
    const session = await signIn(ada);
    const without = await auth('/delete-user', session, {});
    expect([without.status, (await json(without)).message]).toEqual([
      400,
      'Enter your password to continue.',
    ]);
    const wrong = await auth('/delete-user', session, { password: 'not the one' });
    expect([wrong.status, (await json(wrong)).message]).toEqual([400, 'The password is wrong.']);
    expect((await auth('/delete-user', session, { password: PASSWORD })).status).toBe(200);
    expect((await ada.call('/api/user/account')).status).toBe(401);
    for (const table of ['users', 'auth_users'])
      expect(await rows(product.dataSource, `SELECT FROM ${table} WHERE id = $1`, [ada.id])).toEqual([]);
    expect(await rows(product.dataSource, `SELECT FROM objects WHERE user_id = $1`, [ada.id])).toEqual([]);
  });
});

it('reports that mail is disabled, and offers no feature that needs it', async () => {
  const { accounts } = (await (await fetch(`${product.origin}/api/config`)).json()) as { accounts: object };
  expect(accounts).toMatchObject({ provider: 'local', mail: false });
  const answer = await auth('/request-password-reset', '', { email: 'ada@example.com' });
  expect(answer.status).toBe(400);
});
