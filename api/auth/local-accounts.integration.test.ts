import { get } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { DataSource } from 'typeorm';
import { exchange } from '../../scripts/fuzz/wire.ts';
import { startEdgeApp, type EdgeApp } from '../../test/support/edge-app.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.js';
import { allowTimeForPrograms } from '../../test/support/time-limits.js';

allowTimeForPrograms();

let database: TestDatabase;
let edge: EdgeApp;

beforeAll(async () => {
  database = await testDatabase();
  edge = await startEdgeApp(database.url, { RATE_LIMIT_SIGN_IN: '1000', RATE_LIMIT_SIGN_UP: '1000' });
});
afterAll(async () => {
  await edge.close();
  await database.drop();
});

let users = 0;
const newUser = () => ({ name: 'Ada', email: `ada${++users}@example.com`, password: 'correct horse' });
const read = async <Body>(response: Response) => (await response.json()) as Body;

async function signUp(user = newUser()): Promise<string> {
  const response = await edge.call('/api/auth/sign-up/email', { json: user });
  expect(response.status).toBe(200);
  return (await read<{ token: string }>(response)).token;
}

async function askToken(session: string): Promise<string> {
  const response = await edge.call('/api/auth/token', { token: session });
  expect(response.status).toBe(200);
  return (await read<{ token: string }>(response)).token;
}

describe('signing up, in and out', () => {
  it('gives a session, a token for the API, and an end to both', async () => {
    const user = newUser();
    await signUp(user);
    const signedIn = await edge.call('/api/auth/sign-in/email', { json: user });
    expect(signedIn.status).toBe(200);
    const { token: session } = await read<{ token: string }>(signedIn);

    const token = await askToken(session);
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({
      v: 2,
      iss: 'http://localhost:4300',
      azp: 'http://localhost:4300',
      sts: 'active',
      name: 'Ada',
      email: user.email,
      picture: null,
    });
    expect(claims.exp! - claims.iat!).toBe(300);

    const me = await edge.call('/api/me', { token });
    expect(await read(me)).toMatchObject({
      success: true,
      identity: { userId: claims.sub, email: user.email },
    });

    const signedOut = await edge.call('/api/auth/sign-out', { method: 'POST', token: session });
    expect(signedOut.status).toBe(200);
    const after = await edge.call('/api/auth/token', { token: session });
    expect(after.status).toBe(401);
    expect(await read(after)).toEqual({
      code: 'UNAUTHORIZED',
      message: 'The session has ended. Sign in again.',
    });
  });

  it('ends the browser’s previous session', async () => {
    const [user, other] = [newUser(), newUser()];
    await signUp(other);
    const signedUp = await edge.call('/api/auth/sign-up/email', { json: user });
    const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]!.split(';')[0]!;
    const headers = (cookie: string) => ({ cookie, origin: 'http://localhost:4300' });
    const isAlive = async (cookie: string) =>
      (await edge.call('/api/auth/token', { headers: headers(cookie) })).status === 200;
    const first = cookieOf(signedUp);
    const wrong = { ...other, password: 'not the one' };
    await edge.call('/api/auth/sign-in/email', { json: wrong, headers: headers(first) });
    expect(await isAlive(first)).toBe(true);
    const second = cookieOf(
      await edge.call('/api/auth/sign-in/email', { json: other, headers: headers(first) }),
    );
    expect([await isAlive(first), await isAlive(second)]).toEqual([false, true]);
    const elsewhere = cookieOf(await edge.call('/api/auth/sign-in/email', { json: other }));
    expect([await isAlive(second), await isAlive(elsewhere)]).toEqual([true, true]);
  });

  it('issues tokens of the configured issuer, regardless of the request’s host', async () => {
    const session = await signUp();
    const answer = await new Promise<string>((resolve, reject) => {
      const headers = {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        authorization: `Bearer ${session}`,
      };
      get(`${edge.origin}/api/auth/token`, { headers }, (response) => {
        response.setEncoding('utf8');
        let text = '';
        response.on('data', (piece: string) => (text += piece)).on('end', () => resolve(text));
      }).on('error', reject);
    });
    const { token } = JSON.parse(answer) as { token: string };
    expect(decodeJwt(token)).toMatchObject({ iss: 'http://localhost:4300', azp: 'http://localhost:4300' });
  });

  it('publishes its keys without their private halves', async () => {
    await askToken(await signUp());
    const { keys } = await read<{ keys: object[] }>(await edge.call('/api/auth/jwks'));
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n']);
  });
});

describe('the origin of a sign-in', () => {
  const signInFrom = (headers: Record<string, string>) =>
    edge.call('/api/auth/sign-in/email', {
      json: { email: 'x@example.com', password: 'correct horse' },
      headers,
    });

  it.each(['http://localhost:4300', 'http://127.0.0.1:4300'])('may be %s', async (origin) => {
    expect((await signInFrom({ origin, 'sec-fetch-site': 'same-origin' })).status).toBe(401);
  });

  it('may be missing, as with programs', async () => {
    expect((await signInFrom({})).status).toBe(401);
  });

  it.each(['https://evil.example', 'http://localhost:4301', 'null', 'https://localhost:4300'])(
    'may not be %s',
    async (origin) => {
      const response = await signInFrom({ origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' });
      expect(response.status).toBe(403);
      expect(await read(response)).toMatchObject({ message: expect.any(String) });
    },
  );

  it('is checked for every change that a cookie authorizes', async () => {
    const signedUp = await edge.call('/api/auth/sign-up/email', { json: newUser() });
    const cookie = signedUp.headers.getSetCookie()[0]!.split(';')[0]!;
    const signOut = (headers: Record<string, string>) =>
      edge.call('/api/auth/sign-out', { json: {}, headers: { cookie, ...headers } });
    expect((await signOut({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await edge.call('/api/auth/token', { headers: { cookie } })).status).toBe(200);
    expect((await signOut({ origin: 'http://localhost:4300' })).status).toBe(200);
  });

  it('is never answered with CORS headers', async () => {
    const response = await edge.call('/api/auth/sign-in/email', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('bad bodies at /api/auth', () => {
  it.each([
    ['not JSON', '{', 'application/json', 400, 'The body is not valid JSON.'],
    ['a list', '[]', 'application/json', 400, 'The body must be a JSON object, not a list.'],
    ['of another type', 'a=b', 'application/x-www-form-urlencoded', 400, /Send the body as JSON/],
    ['too large', `{"x":"${'x'.repeat(20_000)}"}`, 'application/json', 413, /larger than/],
    ['empty', '{}', 'application/json', 400, 'Enter a valid email address.'],
  ])('that are %s', async (_, body, type, status, message) => {
    const response = await edge.call('/api/auth/sign-in/email', {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    });
    expect(response.status).toBe(status);
    expect(await read(response)).toEqual({
      code: expect.any(String),
      message: expect.stringMatching(message),
    });
  });
});

it('refuses TRACE at /api/auth', async () => {
  const [answer] = (
    await exchange(Number(new URL(edge.origin).port), [
      'TRACE /api/auth/get-session HTTP/1.1\r\nHost: localhost\r\n\r\n',
    ])
  ).answers;
  expect(answer).toMatchObject({ status: 404 });
  expect(JSON.parse(answer!.body.toString())).toMatchObject({ code: 'NOT_FOUND' });
});

describe('the token guard', () => {
  it('refuses a call without a token, in the envelope', async () => {
    const response = await edge.call('/api/me');
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await read(response)).toEqual({
      success: false,
      code: 'UNAUTHENTICATED',
      message: expect.stringMatching(/Sign in first/),
      requestId: response.headers.get('x-request-id'),
    });
  });

  it('refuses a session token, another scheme, and a token of another issuer', async () => {
    const session = await signUp();
    expect((await edge.call('/api/me', { token: session })).status).toBe(401);
    expect((await edge.call('/api/me', { headers: { authorization: 'Basic YTpi' } })).status).toBe(401);
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const claims = { ...decodeJwt(await askToken(session)), iss: 'https://clerk.example.com' };
    const foreign = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'theirs', jwk: await exportJWK(publicKey) })
      .sign(privateKey);
    expect((await edge.call('/api/me', { token: foreign })).status).toBe(401);
  });

  it('accepts no cookie instead of a token', async () => {
    const signedUp = await edge.call('/api/auth/sign-up/email', { json: newUser() });
    const cookie = signedUp.headers.getSetCookie()[0]!.split(';')[0]!;
    expect((await edge.call('/api/me', { headers: { cookie } })).status).toBe(401);
  });

  it('lets a public route pass', async () => {
    expect((await edge.call('/health/live')).status).toBe(200);
  });
});

describe('the limit of sign-ins', () => {
  beforeEach(() => edge.app.get(DataSource).query('DELETE FROM auth_rate_limits'));

  const signIn = (app: EdgeApp, forwardedFor?: string) =>
    app.call('/api/auth/sign-in/email', {
      json: { email: 'nobody@example.com', password: 'correct horse' },
      headers: forwardedFor ? { 'x-forwarded-for': forwardedFor } : {},
    });

  it('answers 429 with Retry-After, and does not trust forwarding headers', async () => {
    const limited = await startEdgeApp(database.url, { RATE_LIMIT_SIGN_IN: '3', RATE_LIMIT_SIGN_UP: '2' });
    try {
      const statuses: number[] = [];
      for (let i = 0; i < 4; i++) statuses.push((await signIn(limited, `192.0.2.${i}`)).status);
      expect(statuses).toEqual([401, 401, 401, 429]);
      const refused = await signIn(limited);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect(await read(refused)).toMatchObject({ code: 'RATE_LIMITED' });

      const signUps = [];
      for (let i = 0; i < 3; i++) {
        signUps.push((await limited.call('/api/auth/sign-up/email', { json: newUser() })).status);
      }
      expect(signUps).toEqual([200, 200, 429]);
    } finally {
      await limited.close();
    }
  });

  it('is shared by all processes, and separate for each address behind a trusted proxy', async () => {
    const variables = { RATE_LIMIT_SIGN_IN: '2', TRUSTED_PROXIES: '127.0.0.1' };
    const [one, two] = await Promise.all([
      startEdgeApp(database.url, variables),
      startEdgeApp(database.url, variables),
    ]);
    try {
      const from = '198.51.100.7';
      expect((await signIn(one, from)).status).toBe(401);
      expect((await signIn(two, `203.0.113.9, ${from}`)).status).toBe(401);
      expect((await signIn(one, from)).status).toBe(429);
      expect((await signIn(two, from)).status).toBe(429);
      expect((await signIn(one, '198.51.100.8')).status).toBe(401);
      // Addresses in the same IPv6 /64 network count as one address.
      expect((await signIn(one, '2001:db8::1')).status).toBe(401);
      expect((await signIn(one, '2001:db8::2')).status).toBe(401);
      expect((await signIn(one, '2001:db8::3')).status).toBe(429);
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  });
});
