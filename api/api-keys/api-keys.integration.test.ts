import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiKey, KeyScope } from '#libs/contract/api-keys.js';
import { keyScopes } from '#libs/contract/api-keys.js';
import { API_KEY_PREFIX } from '#libs/api-keys/key-form.js';
import { scopeOf, type Route } from '#libs/contract/routes/define-route.js';
import { routes } from '#libs/contract/routes/table.js';
import {
  form,
  json,
  useInProcessProduct,
  type Answer,
  type SignedInUser,
} from '../../test/support/in-process-product.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';

allowTimeForPrograms();

const product = useInProcessProduct({ RATE_LIMIT_REQUESTS: '100000', RATE_LIMIT_SUBMISSIONS: '100000' });
let ada: SignedInUser;
let bob: SignedInUser;
beforeAll(async () => {
  [ada, bob] = [await product.signUp('Ada', 'premium'), await product.signUp('Bob')];
});

type KeyAnswer = Answer & { key: ApiKey; keys: ApiKey[]; secret: string };
const keyJson = async (answer: Response) => (await answer.json()) as KeyAnswer;

async function createKey(user: SignedInUser, scopes: readonly KeyScope[], settings: object = {}) {
  const answer = await user.call('/api/keys', { json: { name: 'Nightly run', scopes, ...settings } });
  expect(answer.status).toBe(200);
  return keyJson(answer);
}

const callWith = (secret: string, path: string, options: RequestInit & { json?: object } = {}) => {
  const { json: fields, ...rest } = options;
  return fetch(`${product.origin}${path}`, {
    ...(fields && { method: 'POST', body: JSON.stringify(fields) }),
    ...rest,
    headers: {
      Authorization: `Bearer ${secret}`,
      ...(fields && { 'Content-Type': 'application/json' }),
      ...(rest.headers as object),
    },
  });
};

const PROBE = '/api/ai/probe-pdf';
const probe = () => ({ resume: { bytes: Buffer.from('%PDF-1.4 probe'), name: 'a.pdf' }, note: 'a' });
const runProbe = (secret: string) =>
  callWith(secret, '/api/ai/generate-blog-title', {
    json: { prompt: 'printing', category: 'Technology' },
    headers: { Prefer: 'respond-async' },
  });

describe('an API key', () => {
  it('is shown once, listed without its secret, changed and revoked at once', async () => {
    const { key, secret } = await createKey(ada, ['read']);
    expect(secret.startsWith(`${API_KEY_PREFIX}${key.id}_`)).toBe(true);
    expect((await callWith(secret, '/api/jobs')).status).toBe(200);
    const list = await (await ada.call('/api/keys')).text();
    expect(list).toContain(key.id);
    expect(list).not.toContain(secret.split('_')[2]);
    const [stored] = await product.sql(`SELECT hash AS content FROM api_keys WHERE id = $1`, [key.id]);
    expect(secret).not.toContain(stored!.content);

    const path = `/api/keys/${key.id}`;
    const changed = await ada.call(path, { method: 'PATCH', json: { name: ' Shop ', monthlyJobs: 3 } });
    expect((await keyJson(changed)).key).toMatchObject({ name: 'Shop', monthlyJobs: 3, scopes: ['read'] });
    expect((await bob.call(path, { method: 'PATCH', json: { name: 'Mine' } })).status).toBe(404);
    expect((await bob.call(path, { method: 'DELETE' })).status).toBe(404);
    expect((await ada.call(path, { method: 'DELETE' })).status).toBe(200);
    const refused = await callWith(secret, '/api/jobs');
    expect([refused.status, (await keyJson(refused)).message]).toEqual([
      401,
      expect.stringContaining('was revoked'),
    ]);
    expect((await ada.call(path, { method: 'DELETE' })).status).toBe(404);
  });

  it.each([
    [
      'of another secret',
      (secret: string) => secret.replace(/_(.)(?=.{48}$)/, (_, c: string) => `_${c === 'a' ? 'b' : 'a'}`),
    ],
    ['that is cut', (secret: string) => secret.slice(0, -1)],
    ['without its prefix', (secret: string) => secret.slice(4)],
  ])('%s is refused', async (_, change) => {
    const { secret } = await createKey(ada, ['read']);
    expect((await callWith(change(secret), '/api/jobs')).status).toBe(401);
  });

  it('ends at its expiry', async () => {
    const { key, secret } = await createKey(ada, ['read'], {
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect((await callWith(secret, '/api/jobs')).status).toBe(200);
    await product.sql(`UPDATE api_keys SET expires_at = now() WHERE id = $1`, [key.id]);
    const refused = await callWith(secret, '/api/jobs');
    expect([refused.status, (await keyJson(refused)).message]).toEqual([
      401,
      expect.stringContaining('has expired'),
    ]);
    const past = await ada.call('/api/keys', {
      json: { name: 'Late', scopes: ['read'], expiresAt: '2020-01-01T00:00:00Z' },
    });
    expect([past.status, (await keyJson(past)).message]).toEqual([400, 'Choose an expiry in the future.']);
  });

  it('has the time of its last use', async () => {
    const { key, secret } = await createKey(ada, ['read']);
    expect(key.lastUsedAt).toBeNull();
    await callWith(secret, '/api/jobs');
    await callWith(secret, '/api/jobs');
    const lastUsedAt = await until('the use to be stored', async () => {
      const { keys } = await keyJson(await ada.call('/api/keys'));
      return keys.find(({ id }) => id === key.id)!.lastUsedAt;
    });
    expect(Math.abs(Date.now() - Date.parse(lastUsedAt))).toBeLessThan(60_000);
  });

  it('is refused by sockets, sign-in routes and every route of account, keys and administration', async () => {
    const { secret } = await createKey(ada, keyScopes);
    const closed = (Object.values(routes) as Route[]).filter(
      (route) => !route.public && scopeOf(route) === null,
    );
    expect(closed.length).toBeGreaterThanOrEqual(11);
    for (const { method, path } of closed) {
      const answer = await callWith(secret, path.replace(/:\w+/g, 'x'), { method });
      expect([path, answer.status, (await keyJson(answer)).code]).toEqual([path, 403, 'FORBIDDEN']);
    }
    expect((await callWith(secret, '/api/auth/token')).status).toBe(401);
    expect((await callWith(secret, '/api/auth/list-sessions')).status).toBe(401);
  });

  it('needs a scope', async () => {
    const { secret } = await createKey(ada, ['read', 'images']);
    const titles = await runProbe(secret);
    expect([titles.status, await keyJson(titles)]).toEqual([
      403,
      expect.objectContaining({ code: 'SCOPE_REQUIRED', details: { scopes: ['text'] } }),
    ]);
    const rename = await callWith(secret, '/api/user/voices', { json: { name: 'A', manner: {} } });
    expect([rename.status, (await keyJson(rename)).details]).toEqual([403, { scopes: ['write'] }]);
    const flow = await callWith(secret, '/api/flows/article', { json: { prompt: 'printing' } });
    expect([403, 404]).toContain(flow.status);
    const { secret: writer } = await createKey(ada, ['text']);
    expect((await runProbe(writer)).status).toBe(202);
    expect((await callWith(writer, '/api/jobs')).status).toBe(403);
    const batch = await callWith(writer, '/api/batches', {
      json: { tool: 'remove-image-background', input: {}, items: [{ id: 'a', name: 'a.png', size: 10 }] },
    });
    expect([batch.status, (await keyJson(batch)).details]).toEqual([403, { scopes: ['images'] }]);
  });

  it('reaches nothing of another user', async () => {
    const { secret } = await createKey(bob, keyScopes);
    const started = await json(await ada.call(PROBE, { method: 'POST', body: form(probe()) }));
    expect(started).toMatchObject({ jobId: expect.any(String), creationId: expect.any(String) });
    for (const path of [`/api/jobs/${started.jobId}`, `/api/user/creations/${started.creationId}`])
      expect((await callWith(secret, path)).status).toBe(404);
    const { jobs } = await json(await callWith(secret, '/api/jobs'));
    expect(jobs).toEqual([]);
  });

  it('counts jobs and credits, and gives credits of a cancelled job back', async () => {
    const carl = await product.signUp('Carl');
    const { key, secret } = await createKey(carl, ['text', 'read', 'write']);
    const usage = async () =>
      (await keyJson(await carl.call('/api/keys'))).keys.find(({ id }) => id === key.id)!.usage;
    const { job } = await json(await runProbe(secret));
    expect(await usage()).toEqual({ jobs: 1, credits: 1 });
    const cancelled = await callWith(secret, `/api/jobs/${job.id}`, { method: 'DELETE' });
    // The job may have ended before.
    expect(await usage()).toEqual({ jobs: 1, credits: cancelled.status === 200 ? 0 : 1 });
    const token = await carl.call('/api/ai/generate-blog-title', {
      json: { prompt: 'paper', category: 'Technology' },
    });
    expect(token.status).toBe(200);
    expect((await usage()).jobs).toBe(1);
  });

  it.each([
    ['jobs', { monthlyJobs: 3 }],
    ['credits', { monthlyCredits: 3 }],
  ])('never passes its cap on %s, with 200 requests at once', async (cap, settings) => {
    const dora = await product.signUp('Dora');
    const { secret } = await createKey(dora, ['text'], settings);
    const answers = await Promise.all(Array.from({ length: 200 }, () => runProbe(secret)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(3);
    const refused = answers.find(({ status }) => status === 403)!;
    expect(await keyJson(refused)).toMatchObject({ code: 'KEY_CAP_REACHED', details: { cap } });
    expect(answers.filter(({ status }) => status !== 202 && status !== 403)).toEqual([]);
  });

  it('counts a batch when it is created', async () => {
    const items = Array.from({ length: 3 }, (_, n) => ({ id: `${n}`, name: `${n}.png`, size: 10 }));
    const { key, secret } = await createKey(ada, ['images'], { monthlyJobs: 4 });
    const create = () =>
      callWith(secret, '/api/batches', { json: { tool: 'remove-image-background', input: {}, items } });
    expect((await create()).status).toBe(200);
    const refused = await create();
    expect([refused.status, (await keyJson(refused)).code]).toEqual([403, 'KEY_CAP_REACHED']);
    const { keys } = await keyJson(await ada.call('/api/keys'));
    expect(keys.find(({ id }) => id === key.id)!.usage).toEqual({ jobs: 3, credits: 0 });
  });

  it('has a rate of its own, which each answer tells', async () => {
    const { secret } = await createKey(ada, ['read'], { ratePerMinute: 2 });
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push(await callWith(secret, '/api/jobs'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    const [first, , last] = answers.map(({ headers }) => headers);
    expect(first!.get('RateLimit-Policy')).toContain('"requests";q=100000;w=60');
    expect(first!.get('RateLimit-Policy')).toContain('"keys";q=2;w=60');
    expect(first!.get('RateLimit')).toMatch(/"keys";r=1;t=\d+/);
    const [, reset] = /"keys";r=0;t=(\d+)/.exec(last!.get('RateLimit')!)!;
    expect(last!.get('Retry-After')).toBe(reset);
  });

  it.each([
    ['no scope', { scopes: [] }, 'Choose at least one scope.'],
    ['an unknown scope', { scopes: ['admin'] }, /A scope is one of read, write/],
    ['no name', { name: ' ' }, 'Give the key a name of at most 60 characters.'],
    ['invalid characters', { name: 'a\0' }, /invalid characters/],
    ['a negative cap', { monthlyJobs: -1 }, /cap on jobs/],
  ])('is not created with %s', async (_, settings, message) => {
    const answer = await ada.call('/api/keys', { json: { name: 'Key', scopes: ['read'], ...settings } });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toMatch(message);
  });

  it('is one of at most twenty, even with simultaneous requests', async () => {
    const eve = await product.signUp('Eve');
    const answers = await Promise.all(
      Array.from({ length: 23 }, () => eve.call('/api/keys', { json: { name: 'Key', scopes: ['read'] } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    const refused = answers.find(({ status }) => status === 400)!;
    expect((await keyJson(refused)).message).toBe('You have 20 API keys. Revoke one first.');
  });
});
