import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  UnauthorizedError,
  type Client,
  type StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import pg from 'pg';
import { endSessionsOfOtherSecret } from '#libs/accounts/local/secret-fingerprints.js';
import { OAuthClients } from '#libs/api-keys/oauth-clients.js';
import type { ApiKey } from '#libs/contract/api-keys.js';
import { useInProcessProduct, type SignedInUser } from '../../test/support/in-process-product.ts';
import { McpApp } from '../../test/support/mcp-app.ts';
import { runCommand } from '../../test/support/run-cli.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';

allowTimeForPrograms();

const product = useInProcessProduct({
  RATE_LIMIT_SUBMISSIONS: '1000',
  RATE_LIMIT_REQUESTS: '1000',
  OAUTH_CLIENT_REGISTRATION: 'open',
});
const REDIRECT = 'http://127.0.0.1:7777/callback';
const url = () => new URL('/mcp', product.origin);

let ada: SignedInUser;
let bob: SignedInUser;
let registered: StoredOAuthClientInformation;
beforeAll(async () => {
  ada = await product.signUp('Ada', 'premium');
  bob = await product.signUp('Bob');
  const { clientId } = await new OAuthClients(product.dataSource).register({
    name: 'Desk',
    redirectUris: [REDIRECT],
  });
  registered = { client_id: clientId, issuer: product.origin };
});

/** The session of the user's browser. */
async function sessionOf({ id }: SignedInUser): Promise<{ authorization: string }> {
  const [session] = await product.sql('SELECT "token" AS key FROM auth_sessions WHERE "userId" = $1', [id]);
  return { authorization: `Bearer ${session!.key}` };
}

/** Follows the authorization as a browser with the user's session, and allows the app. @returns the code */
async function authorizeAs(user: SignedInUser, address: URL, scopes?: string): Promise<URLSearchParams> {
  const page = await fetch(address, { redirect: 'manual', headers: await sessionOf(user) });
  expect(page.status).toBe(302);
  const consent = new URL(page.headers.get('location')!, product.origin);
  expect(consent.pathname).toBe('/connect');
  const answer = await fetch(new URL('/api/auth/oauth2/consent', product.origin), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(await sessionOf(user)),
      origin: product.origin,
    },
    body: JSON.stringify({ accept: true, scope: scopes, oauth_query: consent.search.slice(1) }),
  });
  const { url: back } = (await answer.json()) as { url: string };
  expect(back.split('?')[0]).toBe(REDIRECT);
  return new URL(back).searchParams;
}

it('connects a registered app, which runs tools with progress', async () => {
  const app = newApp(registered);
  const client = await connect(app, ada);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('remove-image-background');
  const seen: number[] = [];
  const answer = await client.callTool(
    { name: 'generate-blog-title', arguments: { prompt: 'printing', category: 'Technology' } },
    { onprogress: ({ progress }) => void seen.push(progress) },
  );
  expect(answer.structuredContent).toMatchObject({ status: 'succeeded' });
  expect(seen.length).toBeGreaterThan(0);
  const key = await until('the use to be stored', async () => {
    const [stored] = await keysOf(ada);
    return stored?.lastUsedAt ? stored : null;
  });
  expect(key).toMatchObject({
    clientId: registered.client_id,
    name: 'Desk',
    usage: { jobs: 1 },
  });
  expect(await keysOf(bob)).toEqual([]);
});

it('gives an app the scopes that the user allows, and more after another consent', async () => {
  const app = newApp(registered);
  const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).toSorted();
  const few = await connect(app, bob, 'images offline_access');
  expect(await names(few)).toEqual(['generate-image', 'remove-image-background', 'remove-image-object']);
  const refused = await few.callTool({ name: 'generate-article', arguments: { prompt: 'x' } }).catch(String);
  expect(JSON.stringify(refused)).toMatch(/not found|unknown/i);
  app.saved = undefined;
  const more = await connect(app, bob, 'images read offline_access');
  expect(await names(more)).toContain('get_job');
  expect(await keysOf(bob)).toMatchObject([{ scopes: expect.arrayContaining(['images', 'read']) }]);
  // A token from before a narrower consent allows no more than that.
  const before = app.saved!;
  app.saved = undefined;
  await connect(app, bob, 'read offline_access');
  app.saved = before;
  expect(await names(await app.open())).toEqual(['get_job']);
  expect(await keysOf(bob)).toMatchObject([{ scopes: ['read'] }]);
});

it('renews an access token, until the user disconnects the app', async () => {
  const app = newApp(registered);
  await connect(app, ada);
  const first = app.saved!;
  app.saved = { ...first, access_token: 'expired' };
  await (await app.open()).listTools();
  expect(app.saved.refresh_token).not.toBe(first.refresh_token);

  const [key] = await keysOf(ada);
  expect((await ada.call(`/api/keys/${key!.id}`, { method: 'DELETE' })).status).toBe(200);
  await expect(app.open()).rejects.toThrow(UnauthorizedError);
  // The app has nothing left with which to ask again.
  const { access_token: token, refresh_token: refreshToken } = first;
  expect((await callMcp(token)).status).toBe(401);
  expect(await renew(refreshToken!)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  app.saved = undefined;
  await (await connect(app, ada)).listTools();
});

it('takes tokens of apps at /mcp alone, and says where to get one', async () => {
  const app = newApp(registered);
  await connect(app, ada);
  const token = app.saved!.access_token;
  for (const path of ['/api/user/account', '/api/keys', '/api/jobs', '/api/events', '/api/webhooks']) {
    const answer = await fetch(new URL(path, product.origin), {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([path, answer.status]).toEqual([path, 401]);
  }
  const refused = await callMcp('');
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toBe(
    `Bearer resource_metadata="${product.origin}/.well-known/oauth-protected-resource/mcp", scope="read write text resumes images documents"`,
  );
  const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', product.origin));
  expect(await metadata.json()).toMatchObject({
    resource: `${product.origin}/mcp`,
    authorization_servers: [product.origin],
  });
});

it('names in its metadata no call that is off', async () => {
  const answer = await fetch(new URL('/.well-known/oauth-authorization-server', product.origin));
  const metadata = (await answer.json()) as Record<string, unknown>;
  const addresses = Object.entries(metadata).filter(([name]) => /_endpoint$|_uri$/.test(name));
  expect(addresses.map(([name]) => name)).toContain('token_endpoint');
  for (const [name, address] of addresses) {
    const statuses = await Promise.all(
      ['GET', 'POST'].map(async (method) => {
        const { status } = await fetch(String(address), { method, redirect: 'manual' });
        return status;
      }),
    );
    expect([name, statuses.every((status) => status === 404)]).toEqual([name, false]);
  }
});

it('gives a token without the resource /mcp no access', async () => {
  const app = newApp(registered);
  const address = new URL('/api/auth/oauth2/authorize', product.origin);
  const verifier = 'a'.repeat(64);
  address.search = new URLSearchParams({
    ...{ response_type: 'code', client_id: registered.client_id, redirect_uri: REDIRECT, scope: 'write' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const code = (await authorizeAs(bob, address)).get('code')!;
  const ask = (changes: Record<string, string>) =>
    fetch(new URL('/api/auth/oauth2/token', product.origin), {
      method: 'POST',
      body: new URLSearchParams({
        ...{
          grant_type: 'authorization_code',
          client_id: registered.client_id,
          redirect_uri: REDIRECT,
          code,
        },
        ...changes,
      }),
    });
  expect((await ask({ code_verifier: 'b'.repeat(64) })).status).toBe(401);
  const answer = (await (await ask({ code_verifier: verifier })).json()) as { access_token?: string };
  expect((await callMcp(answer.access_token ?? '')).status).toBe(401);
  expect(app.saved).toBeUndefined();
});

it('sends nobody to an address that is not registered', async () => {
  const address = new URL('/api/auth/oauth2/authorize', product.origin);
  address.search = new URLSearchParams({
    ...{ response_type: 'code', client_id: registered.client_id, redirect_uri: 'https://evil.example/cb' },
    ...{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S256', scope: 'read' },
  }).toString();
  const answer = await fetch(address, { redirect: 'manual', headers: await sessionOf(ada) });
  expect(answer.headers.get('location')).toMatch(/^http:\/\/localhost:\d+\/connect\?error=invalid_redirect/);
});

it('lets an app register itself if the operator allows it', async () => {
  const app = newApp();
  await (await connect(app, ada)).listTools();
  const names = (await keysOf(ada)).map(({ name }) => name);
  expect(names).toContain('Assistant “Ünï” 𝒲');
});

it.each([
  ['http://localhost:53281/callback', 'native'],
  ['https://desk.example/callback', 'web'],
])('registers an app of %s that does not say what it is as %s', async (address, type) => {
  const answer = await fetch(new URL('/api/auth/oauth2/register', product.origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Desk',
      redirect_uris: [address],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }),
  });
  expect(await answer.json()).toMatchObject({
    application_type: type,
    client_name: 'Desk',
    redirect_uris: [address],
  });
});

it('disconnects an app that the operator removes', async () => {
  const clients = new OAuthClients(product.dataSource);
  const { clientId } = await clients.register({ name: 'Old', redirectUris: [REDIRECT] });
  const app = newApp({ client_id: clientId, issuer: product.origin });
  await connect(app, ada);
  await clients.remove(clientId);
  expect((await callMcp(app.saved!.access_token)).status).toBe(401);
  expect((await keysOf(ada)).map(({ name }) => name)).not.toContain('Old');
});

describe('all access of an app ends', () => {
  const command = async (...words: string[]) => {
    const { status, errors } = await runCommand(words, { DATABASE_URL: product.config.databaseUrl });
    expect([status, errors]).toEqual([0, expect.not.stringContaining('Error')]);
  };
  const changeSecret = async () => {
    const client = new pg.Client({ connectionString: product.config.databaseUrl });
    await client.connect();
    await endSessionsOfOtherSecret(
      client as unknown as pg.PoolClient,
      { current: 'x', previous: null },
      true,
    );
    await client.end();
  };

  it.each<[string, (user: SignedInUser) => Promise<void>]>([
    ['the sign-out of all users', () => command('sign-out', '--all', '--yes')],
    ['the sign-out of its user', ({ email }) => command('sign-out', email)],
    ['a changed AUTH_SECRET', changeSecret],
    ['the revocation of all keys', () => command('keys', 'revoke', '--all', '--yes')],
    [
      'a suspension that ended',
      async ({ id }) => {
        await command('users', 'suspend', id);
        await command('users', 'unsuspend', id);
      },
    ],
  ])('by %s', async (_, end) => {
    const user = await product.signUp('Eve');
    const app = newApp(registered);
    await connect(app, user);
    const { access_token: token, refresh_token: refreshToken } = app.saved!;
    expect((await callMcp(token)).status).toBe(200);
    await end(user);
    expect((await callMcp(token)).status).toBe(401);
    expect(await renew(refreshToken!)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await product.sql(KEYS_OF_USER, [user.id])).toEqual([]);
  });

  it('also for tokens of before, once the user allows the app again', async () => {
    const user = await product.signUp('Ivy');
    const app = newApp(registered);
    await connect(app, user);
    const { access_token: token } = app.saved!;
    expect((await callMcp(token)).status).toBe(200);
    await product.sql(
      `UPDATE auth_oauth_consents SET "createdAt" = now() + interval '1 minute' WHERE "userId" = $1`,
      [user.id],
    );
    expect((await callMcp(token)).status).toBe(401);
  });
});

const KEYS_OF_USER = 'SELECT id FROM api_keys WHERE user_id = $1 AND revoked_at IS NULL';

const newApp = (client?: StoredOAuthClientInformation) => new McpApp(url(), REDIRECT, client);

const connect = (app: McpApp, user: SignedInUser, scopes?: string) =>
  app.connect((address) => authorizeAs(user, address, scopes));

const keysOf = async (user: SignedInUser) =>
  ((await (await user.call('/api/keys')).json()) as { keys: ApiKey[] }).keys;

async function renew(refreshToken: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(new URL('/api/auth/oauth2/token', product.origin), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: registered.client_id,
      resource: `${product.origin}/mcp`,
    }),
  });
  return { status: answer.status, body: await answer.json() };
}

const callMcp = (token: string) =>
  fetch(url(), {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
