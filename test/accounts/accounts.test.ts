import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, SignJWT } from 'jose';
import { io, type Socket } from 'socket.io-client';
import type { Account } from '#libs/contract/account.js';
import { ClerkService } from '../support/clerk-service.ts';
import {
  json,
  PASSWORD,
  startInProcessProduct,
  type Answer,
  type InProcessProduct,
} from '../support/in-process-product.ts';
import { until } from '../support/until.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';

allowTimeForPrograms();

/** One account provider, as this suite needs it. */
interface Provider {
  variables: Record<string, string>;
  /** Somebody new. */
  user(product: InProcessProduct): Promise<Somebody>;
  stop(): Promise<void>;
}

interface Somebody {
  id: string;
  name: string;
  email: string;
  /** A new token. */
  token: () => Promise<string>;
  setPlan: (plan: 'free' | 'premium') => Promise<unknown>;
}

async function local(): Promise<Provider> {
  return {
    variables: { PLAN_SWITCH: 'self' },
    async user(product) {
      const client = await product.signUp('Ada Example');
      const { id, email, token } = client;
      return {
        id,
        email,
        name: 'Ada Example',
        token: async () => token,
        setPlan: (plan) => client.call('/api/user/plan', { json: { plan } }),
      };
    },
    stop: async () => undefined,
  };
}

async function clerk(): Promise<Provider> {
  const service = await ClerkService.start();
  return {
    variables: service.variables(),
    async user(product) {
      const { id } = service.addUser({ first_name: 'Ada', last_name: 'Example' });
      let status = 'none';
      const token = () =>
        service.token(id, product.origin, { pla: status === 'active' ? 'u:premium' : 'u:free_user' });
      await call(product, '/api/user/account', await token());
      return {
        id,
        name: 'Ada Example',
        email: `${id}@example.com`,
        token,
        setPlan(plan) {
          status = plan === 'premium' ? 'active' : 'ended';
          const data = {
            id: `subi_${id}`,
            status,
            plan: { slug: 'premium' },
            period_end: null,
            payer: { user_id: id },
          };
          const event = { type: `subscriptionItem.${status}`, object: 'event', data, timestamp: Date.now() };
          return fetch(`${product.origin}/api/webhooks/clerk`, service.webhook(event));
        },
      };
    },
    stop: () => service.stop(),
  };
}

const call = (product: InProcessProduct, path: string, token?: string, options: RequestInit = {}) =>
  fetch(`${product.origin}${path}`, {
    ...options,
    headers: { ...options.headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
  });
const answerOf = async (product: InProcessProduct, path: string, token: string): Promise<Answer> =>
  json(await call(product, path, token));

describe.each([
  ['local', local],
  ['clerk', clerk],
] as const)('accounts by %s', (kind, start) => {
  let provider: Provider;
  let product: InProcessProduct;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    provider = await start();
    product = await startInProcessProduct(provider.variables);
  });
  afterAll(async () => {
    sockets.forEach((socket) => socket.close());
    await product.stop();
    await provider.stop();
  });

  function connect(token: unknown): Socket {
    const socket = io(product.origin, { auth: { token }, reconnection: false, transports: ['websocket'] });
    sockets.push(socket);
    return socket;
  }
  const connected = (socket: Socket) =>
    new Promise<string>((resolve) => {
      socket.once('connect', () => resolve('connected'));
      socket.once('connect_error', (error) => resolve(error.message));
    });

  it('are named in the public configuration, with no secret', async () => {
    const text = await (await call(product, '/api/config')).text();
    expect(JSON.parse(text)).toMatchObject({ accounts: { provider: kind, mail: false, proxyUrl: null } });
    expect(text).not.toMatch(/sk_test|whsec|PUBLIC KEY/);
  });

  it('create a user with the first token, with profile, free plan and credits', async () => {
    const ada = await provider.user(product);
    const account = await until('the profile is there', async () => {
      const found = await answerOf(product, '/api/user/account', await ada.token());
      return found.profile.fullName === ada.name && found;
    });
    expect(account).toMatchObject({
      success: true,
      plan: 'free',
      credits: { allowance: 30, used: 0, remaining: 30 },
      profile: { id: ada.id, fullName: ada.name, email: ada.email },
    });
  });

  it('refuse invalid tokens, over HTTP and at the handshake of a socket', async () => {
    const ada = await provider.user(product);
    const token = await ada.token();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const forged = await new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: 'RS256', kid: 'ins_key_1' })
      .sign(privateKey);
    const other = Buffer.from(payload, 'base64url').toString().replace(ada.id, 'somebody_else');
    const bad = {
      none: '',
      garbage: 'garbage',
      forged,
      changed: [header, Buffer.from(other).toString('base64url'), signature].join('.'),
      unsigned: [Buffer.from('{"alg":"none"}').toString('base64url'), payload, ''].join('.'),
    };
    for (const [name, value] of Object.entries(bad)) {
      const refused = await call(product, '/api/user/account', value);
      expect([name, refused.status, (await json(refused)).code]).toEqual([name, 401, 'UNAUTHENTICATED']);
      expect([name, await connected(connect(value))]).toEqual([name, 'UNAUTHENTICATED']);
    }
    expect((await call(product, '/api/user/account')).status).toBe(401);
    expect(await connected(connect(undefined))).toBe('UNAUTHENTICATED');
    expect(await connected(connect(token))).toBe('connected');
  });

  it('refuse tokens of the other provider, and its endpoints', async () => {
    const service = await ClerkService.start();
    const foreign =
      kind === 'local'
        ? await service.token('user_foreign', product.origin)
        : await service.token('user_foreign', product.origin, { iss: product.origin });
    await service.stop();
    expect((await call(product, '/api/user/account', foreign)).status).toBe(401);
    const path = kind === 'local' ? '/api/webhooks/clerk' : '/api/auth/sign-up/email';
    const answer = await call(product, path, undefined, {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect([answer.status, (await json(answer)).code]).toEqual([404, 'NOT_FOUND']);
  });

  it('send a changed plan to open pages within seconds, and allow premium tools with it', async () => {
    const ada = await provider.user(product);
    const socket = connect(await ada.token());
    const received: Account[] = [];
    socket.on('account', (account: Account) => received.push(account));
    expect(await connected(socket)).toBe('connected');
    const submit = async () => call(product, '/api/ai/generate-image', await ada.token(), { method: 'POST' });
    expect((await submit()).status).toBe(403);

    await ada.setPlan('premium');
    await until('open pages to receive the premium plan', () => received.at(-1)?.plan === 'premium');
    expect(received.at(-1)?.credits.remaining).toBeNull();
    expect((await submit()).status).toBe(400);

    await ada.setPlan('free');
    await until('open pages to receive the free plan', () => received.at(-1)?.plan === 'free');
    expect((await submit()).status).toBe(403);
  });

  it('let no user change a role or plan that the operator or the provider sets', async () => {
    const ada = await provider.user(product);
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ plan: 'gold', role: 'admin' });
    const refused = await call(product, '/api/user/plan', await ada.token(), {
      method: 'POST',
      headers,
      body,
    });
    expect(refused.status).toBe(400);
    const switched = await call(product, '/api/user/plan', await ada.token(), {
      method: 'POST',
      headers,
      body: JSON.stringify({ plan: 'premium' }),
    });
    expect(switched.status).toBe(kind === 'local' ? 200 : 403);
    expect(await answerOf(product, '/api/user/account', await ada.token())).toMatchObject({ role: 'person' });
  });

  it('are deleted with all their data, and stay deleted', async () => {
    const [ada, bob] = [await provider.user(product), await provider.user(product)];
    const token = await ada.token();
    const socket = connect(token);
    expect(await connected(socket)).toBe('connected');
    const closed = new Promise<void>((resolve) => socket.once('disconnect', () => resolve()));
    const removed = await call(product, '/api/user/account', token, {
      method: 'DELETE',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(kind === 'local' ? { password: PASSWORD } : {}),
    });
    expect(removed.status).toBe(200);
    await closed;
    expect((await call(product, '/api/user/account', token)).status).toBe(401);
    expect(await connected(connect(token))).toBe('UNAUTHENTICATED');
    expect(await product.sql(`SELECT FROM users WHERE id = $1`, [ada.id])).toEqual([]);
    expect((await call(product, '/api/user/account', await bob.token())).status).toBe(200);
  });
});
