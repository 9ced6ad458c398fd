import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { CompactSign, type JWTPayload } from 'jose';
import { row } from '../support/sql.ts';
import { applyRetention } from '#libs/creations/retention.js';
import { ClerkService, type ClerkUser } from '../support/clerk-service.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { startEdgeApp, type EdgeApp } from '../support/edge-app.ts';
import { json, startInProcessProduct, type InProcessProduct } from '../support/in-process-product.ts';
import { until } from '../support/until.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';

allowTimeForPrograms();

let service: ClerkService;
beforeAll(async () => {
  service = await ClerkService.start();
});
afterAll(() => service.stop());

describe('session tokens of Clerk', () => {
  const party = 'https://pressroom.example.com';
  let database: TestDatabase;
  let edge: EdgeApp;

  beforeAll(async () => {
    database = await testDatabase();
    const variables = { ...service.variables(party), CLERK_JWT_KEY: '' };
    edge = await startEdgeApp(database.url, variables);
  });
  afterAll(async () => {
    await edge.close();
    await database.drop();
  });
  const status = async (token: string) => (await edge.call('/api/me', { token })).status;
  const now = () => Math.floor(Date.now() / 1000);

  it('are verified with Clerk’s published keys, fetched once', async () => {
    for (let i = 0; i < 3; i += 1) expect(await status(await service.token('user_1', party))).toBe(200);
    expect(service.calls.filter((call) => call === 'GET /v1/jwks')).toHaveLength(1);
  });

  const good: [string, () => JWTPayload][] = [
    ['of several plans', () => ({ pla: 'u:premium,u:extra,o:team' })],
    ['without a plan', () => ({ pla: undefined })],
    ['that ended a second ago, by our clock', () => ({ exp: now() - 1 })],
    ['that begins in 3 s, by our clock', () => ({ nbf: now() + 3, iat: now() + 3 })],
  ];
  it.each(good)('%s are taken', async (_, changes) => {
    expect(await status(await service.token('user_1', party, changes()))).toBe(200);
  });

  const bad: [string, () => JWTPayload][] = [
    ['that have expired', () => ({ exp: now() - 10 })],
    ['that are not yet valid', () => ({ nbf: now() + 60 })],
    ['made in the future', () => ({ iat: now() + 60 })],
    ['without an end', () => ({ exp: undefined })],
    ['of another issuer', () => ({ iss: 'https://clerk.evil.example' })],
    ['of an issuer that begins alike', () => ({ iss: `${service.issuer}.evil.example` })],
    ['without an issuer', () => ({ iss: undefined })],
    ['for another party', () => ({ azp: 'https://evil.example' })],
    ['without a party', () => ({ azp: undefined })],
    ['of a pending session', () => ({ sts: 'pending' })],
    ['without a session', () => ({ sid: undefined })],
    ['without a subject', () => ({ sub: undefined })],
    ['of an empty subject', () => ({ sub: '' })],
  ];
  it.each(bad)('%s are refused', async (_, changes) => {
    expect(await status(await service.token('user_1', party, changes()))).toBe(401);
  });

  it('signed by another key, by none, or by the public key as a shared secret are refused', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const claims = new TextEncoder().encode(JSON.stringify(service.claims('user_1', party)));
    const pem = service.publicKey.export({ format: 'pem', type: 'spki' }).toString();
    const hs256 = await new CompactSign(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'ins_key_1' })
      .sign(new TextEncoder().encode(pem));
    const tokens = [
      await service.token('user_1', party, {}, privateKey),
      service.unsigned('user_1', party),
      hs256,
    ];
    for (const token of tokens) expect(await status(token)).toBe(401);
  });
});

describe('Clerk behind a product', () => {
  let product: InProcessProduct;
  beforeAll(async () => {
    product = await startInProcessProduct({ ...service.variables(), CLERK_OAUTH_CLIENTS: 'desk=Desk app' });
  });
  afterAll(() => product.stop());

  let clock = Date.now() - 1_000_000;
  /** A moment later than all before it. */
  const later = () => (clock += 1_000);

  const deliver = (event: object, options = {}, init = {}) =>
    fetch(`${product.origin}/api/webhooks/clerk`, { ...service.webhook(event, options), ...init });
  const userEvent = (type: string, data: object, timestamp = later()) => ({
    type,
    object: 'event',
    data,
    timestamp,
  });
  const itemEvent = (name: string, userId: string, changes: object = {}, timestamp = later()) => ({
    type: `subscriptionItem.${name}`,
    object: 'event',
    data: {
      id: `subi_${userId}`,
      status: name === 'pastDue' ? 'past_due' : name,
      plan: { slug: 'premium' },
      period_end: null,
      payer: { user_id: userId },
      ...changes,
    },
    timestamp,
  });
  const storedUser = (id: string) =>
    row<{ plan: string; role: string; name: string; email: string | null }>(
      product.dataSource,
      `SELECT plan, role, name, email FROM users WHERE id = $1`,
      [id],
    );
  const planOf = async (id: string) => (await storedUser(id))?.plan;
  const call = async (
    user: ClerkUser | string,
    path: string,
    options: RequestInit = {},
    claims: JWTPayload = {},
  ) => {
    const id = typeof user === 'string' ? user : user.id;
    const token = await service.token(id, product.origin, { pla: undefined, ...claims });
    return fetch(`${product.origin}${path}`, {
      ...options,
      headers: { ...options.headers, Authorization: `Bearer ${token}` },
    });
  };
  const newId = () => `user_${randomUUID().replaceAll('-', '')}`;
  const taken = async (answer: Response) => {
    expect(answer.status).toBe(200);
    return (await json(answer)).message;
  };

  it('allows scripts, frames and images from Clerk only', async () => {
    const policy = (await fetch(`${product.origin}/api/config`)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`script-src 'self' ${service.issuer} https://challenges.cloudflare.com`);
    expect(policy).toMatch(/img-src [^;]*https:\/\/img\.clerk\.com/);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  });

  describe('webhooks', () => {
    it('are refused when they are unsigned, signed by another, changed, old or too long', async () => {
      const user = service.addUser();
      const event = userEvent('user.created', user);
      const { headers, body } = service.webhook(event);
      const other = `whsec_${Buffer.from('another secret that is as long').toString('base64')}`;
      const old = new Date(Date.now() - 600_000);
      const refused = [
        await deliver(event, {}, { headers: { 'Content-Type': 'application/json' } }),
        await deliver(event, { secret: other }),
        await deliver(event, {}, { headers, body: body.replace('Ada', 'Eve') }),
        await deliver(event, { at: old }),
        await deliver(event, {}, { headers: { ...headers, 'svix-signature': 'v1,AAAA' } }),
        await deliver(event, {}, { body: undefined }),
      ];
      for (const answer of refused) {
        expect(answer.status).toBe(400);
        expect((await json(answer)).code).toBe('VALIDATION_FAILED');
      }
      const long = await deliver({ ...event, padding: 'x'.repeat(300_000) });
      expect(long.status).toBe(413);
      expect(await storedUser(user.id)).toBeUndefined();
    });

    it('are logged, also refused ones, without their content', async () => {
      const lines: string[] = [];
      const keep = (...args: unknown[]) => void lines.push(args.map(String).join(' '));
      const spies = (['log', 'warn', 'error'] as const).map((level) =>
        jest.spyOn(Logger.prototype, level).mockImplementation(keep),
      );
      const user = service.addUser({ first_name: 'Untold' });
      const event = userEvent('user.created', user);
      const { headers } = service.webhook(event);
      await taken(await deliver(event));
      expect((await deliver(event, {}, { body: JSON.stringify({ ...event, more: 'Untold' }) })).status).toBe(
        400,
      );
      expect((await deliver(event, {}, { headers: { ...headers, 'svix-id': 'Untold' } })).status).toBe(400);
      spies.forEach((spy) => spy.mockRestore());
      expect(lines.filter((line) => /webhook was refused/.test(line))).toHaveLength(2);
      expect(lines.join('\n')).toContain('user.created done');
      expect(lines.join('\n')).not.toMatch(new RegExp(`Untold|${user.id}|example.com|v1,`));
    });

    it('that are irrelevant or malformed are answered with 200', async () => {
      for (const event of [
        userEvent('session.created', { id: 'sess_1' }),
        userEvent('user.created', { no: 'id' }),
        itemEvent('active', newId(), { payer: { organization_id: 'org_1' } }),
        userEvent('subscription.created', null as unknown as object),
        { type: 'user.deleted', object: 'event', data: { deleted: true } },
      ])
        expect(await taken(await deliver(event))).toBe('The event was ignored.');
    });

    it('make and change users once each, whatever the order', async () => {
      const user = service.addUser();
      const [first, second] = [later(), later()];
      const newer = userEvent('user.updated', { ...user, first_name: 'Newer' }, second);
      await taken(await deliver(newer));
      await taken(await deliver(userEvent('user.created', { ...user, first_name: 'Older' }, first)));
      expect(await storedUser(user.id)).toMatchObject({
        name: 'Newer Hosted',
        email: `${user.id}@example.com`,
      });

      const id = `msg_${randomUUID()}`;
      const event = userEvent('user.updated', { ...user, first_name: 'Once' });
      const messages = await Promise.all([1, 2, 3].map(async () => taken(await deliver(event, { id }))));
      expect(messages.sort()).toEqual([
        'The event was processed before.',
        'The event was processed before.',
        'The event was processed.',
      ]);
    });

    it('set the operator’s role by the public metadata, and keep one set by the command line', async () => {
      const user = service.addUser();
      const update = async (public_metadata: object) =>
        taken(await deliver(userEvent('user.updated', { ...user, public_metadata })));
      await update({ role: 'admin' });
      expect(await storedUser(user.id)).toMatchObject({ role: 'admin' });
      await update({});
      expect(await storedUser(user.id)).toMatchObject({ role: 'person' });
      await product.sql(`UPDATE users SET role = 'admin' WHERE id = $1`, [user.id]);
      await update({});
      expect(await storedUser(user.id)).toMatchObject({ role: 'admin' });
    });

    it('delete a user with all data, and late events do not restore it', async () => {
      const user = service.addUser();
      await taken(await deliver(userEvent('user.created', user)));
      expect((await call(user, '/api/user/account')).status).toBe(200);
      const deletion = userEvent('user.deleted', { id: user.id, object: 'user', deleted: true });
      const id = `msg_${randomUUID()}`;
      expect(await taken(await deliver(deletion, { id }))).toBe('The event was processed.');
      expect(await taken(await deliver(deletion, { id }))).toBe('The event was processed before.');
      await taken(await deliver(userEvent('user.updated', user)));
      await taken(await deliver(itemEvent('active', user.id)));
      expect((await call(user, '/api/user/account')).status).toBe(401);
      expect(await storedUser(user.id)).toBeUndefined();
      const unknown = userEvent('user.deleted', { id: newId(), deleted: true });
      await taken(await deliver(unknown));
      await taken(
        await deliver(
          userEvent('user.created', { ...service.addUser(), id: (unknown.data as ClerkUser).id }),
        ),
      );
      expect(await storedUser((unknown.data as ClerkUser).id)).toBeUndefined();
    });
  });

  describe('the plan', () => {
    it('follows subscription items through their life', async () => {
      const id = newId();
      const steps: [string, object, string][] = [
        ['created', { status: 'upcoming' }, 'free'],
        ['active', {}, 'premium'],
        ['pastDue', {}, 'premium'],
        ['active', {}, 'premium'],
        ['canceled', { period_end: Date.now() + 86_400_000 }, 'premium'],
        ['ended', {}, 'free'],
        ['active', { plan: { slug: 'basic' }, id: `subi_basic_${id}` }, 'free'],
      ];
      for (const [name, changes, plan] of steps) {
        await taken(await deliver(itemEvent(name, id, changes)));
        expect([name, await planOf(id)]).toEqual([name, plan]);
      }
    });

    it('ignores older events', async () => {
      const id = newId();
      const [active, ended] = [itemEvent('active', id), itemEvent('ended', id)];
      const otherItem = itemEvent('active', id, { plan: { slug: 'free_user' }, id: `subi_free_${id}` });
      await taken(await deliver(otherItem));
      await taken(await deliver(active));
      expect(await planOf(id)).toBe('premium');
      await taken(await deliver(ended));
      await taken(await deliver(active));
      expect(await planOf(id)).toBe('free');
    });

    it('is read from subscriptions too', async () => {
      const id = newId();
      const item = (status: string, slug: string) => ({ id: `subi_${slug}_${id}`, status, plan: { slug } });
      const event = (name: string, ...items: object[]) =>
        userEvent(`subscription.${name}`, {
          id: `sub_${id}`,
          status: 'active',
          payer: { user_id: id },
          items,
        });
      await taken(await deliver(event('created', item('upcoming', 'premium'), item('active', 'free_user'))));
      expect(await planOf(id)).toBe('free');
      await taken(await deliver(event('active', item('active', 'premium'), item('ended', 'free_user'))));
      expect(await planOf(id)).toBe('premium');
      await taken(await deliver(event('pastDue', item('past_due', 'premium'))));
      expect(await planOf(id)).toBe('premium');
      await taken(await deliver(event('updated', item('ended', 'premium'), item('active', 'free_user'))));
      expect(await planOf(id)).toBe('free');
    });

    it('is also premium by the private metadata', async () => {
      const user = service.addUser();
      const update = async (private_metadata: object) =>
        taken(await deliver(userEvent('user.updated', { ...user, private_metadata })));
      await update({ plan: 'premium' });
      await taken(await deliver(itemEvent('ended', user.id)));
      expect(await planOf(user.id)).toBe('premium');
      await update({ plan: 'free' });
      expect(await planOf(user.id)).toBe('free');
    });

    it('is taken from tokens newer than the last change only', async () => {
      const user = service.addUser();
      const second = Math.floor(Date.now() / 1000);
      await call(user, '/api/user/account', {}, { pla: 'u:premium,o:team', iat: second - 40 });
      expect(await planOf(user.id)).toBe('premium');
      await taken(await deliver(itemEvent('ended', user.id, {}, (second - 30) * 1000)));
      expect(await planOf(user.id)).toBe('free');
      await call(user, '/api/user/account', {}, { pla: 'u:premium', iat: second - 35 });
      expect(await planOf(user.id)).toBe('free');
      await call(user, '/api/user/account', {}, { pla: 'uo:premium', iat: second - 20 });
      expect(await planOf(user.id)).toBe('premium');
      await call(user, '/api/user/account', {}, { pla: 'o:premium', iat: second - 10 });
      expect(await planOf(user.id)).toBe('free');
    });
  });

  describe('updates sent to Clerk', () => {
    const usage = (user: ClerkUser) => user.private_metadata.free_usage;
    const work = (user: ClerkUser) =>
      call(user, '/api/ai/generate-article', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ prompt: 'A topic', length: 800 }),
      });

    it('have the month’s usage, merged into the metadata, also after failures', async () => {
      const user = service.addUser({ private_metadata: { plan: 'free', note: 'kept' } });
      service.refusals.push({ status: 500 });
      expect((await call(user, '/api/user/account')).status).toBe(200);
      await until('it is sent', () => usage(user) === 0);
      expect((await work(user)).status).toBe(200);
      expect((await work(user)).status).toBe(200);
      await until('usage is sent', () => usage(user) === 2);
      expect(user.private_metadata).toEqual({ plan: 'free', note: 'kept', free_usage: 2 });
      expect(await storedUser(user.id)).toMatchObject({ name: 'Ada Hosted' });
    });

    it('are sent in the background: no request waits for Clerk', async () => {
      const user = service.addUser();
      let letGo: () => void = () => undefined;
      service.held = new Promise((resolve) => (letGo = resolve));
      expect((await call(user, '/api/user/account')).status).toBe(200);
      await until('Clerk is asked', () => service.calls.includes(`GET /v1/users/${user.id}`));
      expect((await work(user)).status).toBe(200);
      // The worker still waits for its first answer: a call that sends the usage could be a request's alone.
      expect(service.calls).not.toContain(`PATCH /v1/users/${user.id}/metadata`);
      letGo();
      await until('usage is sent', () => usage(user) === 1);
    });

    it('delete Clerk’s user with ours, and then the stored id', async () => {
      const user = service.addUser();
      await call(user, '/api/user/account');
      const answer = await call(user, '/api/user/account', { method: 'DELETE' });
      expect(answer.status).toBe(200);
      await until('Clerk’s user to be deleted', () => !service.users.has(user.id));
      await until('its id is forgotten', async () => {
        const [left] = await product.sql(`SELECT count(*)::int FROM clerk_removals WHERE user_id = $1`, [
          user.id,
        ]);
        return left?.count === 0;
      });
      expect((await call(user, '/api/user/account')).status).toBe(401);
    });
  });

  it('names Clerk as the OAuth server of apps, which a user allows with scopes of ours', async () => {
    const metadata = await fetch(`${product.origin}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).toMatchObject({
      resource: `${product.origin}/mcp`,
      authorization_servers: [service.issuer],
    });
    expect((await fetch(`${product.origin}/.well-known/oauth-authorization-server`)).status).toBe(404);
    const user = service.addUser();
    const config = await (await fetch(`${product.origin}/api/config`)).json();
    expect(config).toMatchObject({ accounts: { apps: [{ clientId: 'desk', name: 'Desk app' }] } });
    const jsonBody = (body: object) => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const listTools = async (clientId: string) => {
      const answer = await fetch(`${product.origin}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await service.accessToken(user.id, clientId)}`,
          ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      });
      return [
        answer.status,
        [...(await answer.text()).matchAll(/"name":"([\w-]+)"/g)].map(([, name]) => name),
      ];
    };
    await call(user, '/api/user/account');
    expect(await listTools('desk')).toEqual([403, []]);
    const allowed = await call(user, '/api/keys/apps/desk', {
      method: 'PUT',
      ...jsonBody({ scopes: ['text', 'read'] }),
    });
    const { key } = (await allowed.json()) as { key: { id: string; name: string } };
    expect(key).toMatchObject({ clientId: 'desk', name: 'Desk app', scopes: ['text', 'read'] });
    const [status, names] = await listTools('desk');
    expect(status).toBe(200);
    expect(names).toEqual(expect.arrayContaining(['generate-article', 'get_job']));
    expect(names).not.toContain('generate-image');
    expect((await listTools('other'))[0]).toBe(401);
    expect(
      (await call(user, '/api/keys/apps/other', { method: 'PUT', ...jsonBody({ scopes: ['read'] }) })).status,
    ).toBe(404);
    await call(user, `/api/keys/${key.id}`, { method: 'DELETE' });
    expect((await listTools('desk'))[0]).toBe(403);
  });

  it('leave ids of events and deletions stored for 30 days', async () => {
    await product.sql(
      `INSERT INTO clerk_events (id, received_at) VALUES ('old', now() - interval '31 days')`,
    );
    // Tried again in an hour, so that the worker does not come first.
    await product.sql(
      `INSERT INTO clerk_removals (id_hash, user_id, removed_at, run_after)
       SELECT id, user_id, now() - interval '31 days', now() + interval '1 hour'
       FROM (VALUES ('old', NULL), ('undone', 'user_undone')) AS removals (id, user_id)`,
    );
    await applyRetention(product.dataSource, product.files, product.config.jobs);
    expect(await product.sql(`SELECT id AS key FROM clerk_events WHERE id = 'old'`)).toEqual([]);
    const left = await product.sql(
      `SELECT id_hash AS key FROM clerk_removals WHERE id_hash IN ('old', 'undone')`,
    );
    expect(left).toEqual([{ key: 'undone' }]);
  });
});
