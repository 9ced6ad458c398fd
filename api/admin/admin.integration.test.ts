import { afterEach, describe, expect, it } from '@jest/globals';
import { routes } from '#libs/contract/routes/table.js';
import { io, type Socket } from 'socket.io-client';
import type { AuditEntry, DeletionReceipt, JobStory, QueueState } from '#libs/contract/admin.js';
import { json, type SignedInUser, useInProcessProduct } from '../../test/support/in-process-product.ts';
import { closeGate, gate } from '../../test/support/probe-tools.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';

allowTimeForPrograms();

const product = useInProcessProduct({ WORKER_CONCURRENCY: '1', RATE_LIMIT_REQUESTS: '10000' });
afterEach(() => gate.open());

/** An operator with a second factor. */
async function operator(name = 'Olga'): Promise<SignedInUser> {
  const user = await product.signUp(name);
  await product.sql(`UPDATE users SET role = 'admin' WHERE id = $1`, [user.id]);
  await product.sql(`UPDATE auth_users SET "twoFactorEnabled" = true WHERE id = $1`, [user.id]);
  return user;
}
const body = async <T>(answer: Promise<Response>) => (await answer).json() as Promise<T>;
const act = (user: SignedInUser, path: string, fields: object = {}) =>
  user.call(`/api/admin${path}`, { json: { reason: 'Asked for', ...fields } });
const auditOf = async (user: SignedInUser, target: string) =>
  (await body<{ entries: AuditEntry[] }>(user.call(`/api/admin/audit?target=${encodeURIComponent(target)}`)))
    .entries;
const waitingJob = async (user: SignedInUser) => {
  const { job } = await json(
    await user.call('/api/ai/generate-blog-title', {
      json: { prompt: 'A private topic', category: 'Food' },
      headers: { Prefer: 'respond-async' },
    }),
  );
  return job.id;
};

describe('the routes of operators', () => {
  it('refuse everybody else, programs with keys, and operators without a second factor', async () => {
    const ada = await product.signUp('Ada');
    const olga = await product.signUp('Olga');
    await product.sql(`UPDATE users SET role = 'admin' WHERE id = $1`, [olga.id]);
    const admin = Object.values(routes).filter((route) => 'admin' in route);
    expect(admin.length).toBeGreaterThan(20);
    for (const { method, path } of admin) {
      const address = path.replace(':queue', 'text').replace(':key', 'k').replace(':id', crypto.randomUUID());
      const ask = (user: SignedInUser) =>
        user.call(address, { method, ...(method !== 'GET' && { json: {} }) });
      expect([path, (await fetch(`${product.origin}${address}`, { method })).status]).toEqual([path, 401]);
      const refused = await ask(ada);
      expect([path, refused.status, (await json(refused)).code]).toEqual([path, 403, 'FORBIDDEN']);
      expect([path, (await json(await ask(olga))).code]).toEqual([path, 'TWO_FACTOR_REQUIRED']);
    }
    const { secret } = (await json(
      await olga.call('/api/keys', { json: { name: 'script', scopes: ['read', 'write'] } }),
    )) as unknown as { secret: string };
    const byKey = await fetch(`${product.origin}/api/admin/jobs`, {
      headers: { Authorization: `Bearer ${secret}` },
    });
    expect(byKey.status).toBe(403);
  });
});

describe('jobs', () => {
  it('are found, told whole, revealed on record, cancelled and retried with another input', async () => {
    const [olga, ada] = [await operator(), await product.signUp('Ada')];
    await body(act(olga, '/queues/text/pause', { reason: 'A test' }));
    const id = await waitingJob(ada);
    const found = await body<{ jobs: { id: string; email: string }[] }>(
      olga.call(`/api/admin/jobs?user=${encodeURIComponent(ada.email)}&order=longest-wait`),
    );
    expect(found.jobs).toMatchObject([{ id, email: ada.email, status: 'queued' }]);
    expect(JSON.stringify(found)).not.toContain('private topic');
    const told = await body<{ job: JobStory }>(olga.call(`/api/admin/jobs/${id}`));
    expect(told.job).toMatchObject({
      hasInput: true,
      attemptLog: [],
      ledger: [{ kind: 'charge', amount: -1 }],
    });
    expect(JSON.stringify(told)).not.toContain('private topic');
    expect((await olga.call(`/api/admin/jobs/${id}/reveal`, { json: { reason: ' ' } })).status).toBe(400);
    expect(await body(act(olga, `/jobs/${id}/reveal`))).toMatchObject({
      input: { prompt: 'A private topic' },
    });

    expect(await body(act(olga, `/jobs/${id}/cancel`))).toMatchObject({
      job: { status: 'cancelled', ledger: [{ kind: 'charge' }, { kind: 'refund' }] },
    });
    const again = await body<{ job: JobStory }>(
      act(olga, `/jobs/${id}/retry`, { input: { prompt: 'Another topic' } }),
    );
    expect(again.job).toMatchObject({ status: 'queued', retryOf: id });
    expect(await body(act(olga, `/jobs/${again.job.id}/reveal`))).toMatchObject({
      input: { prompt: 'Another topic' },
    });
    const wrong = await act(olga, `/jobs/${id}/retry`, { input: { category: 'Nonsense' } });
    expect(wrong.status).toBe(400);
    await act(olga, '/queues/text/resume');
    await until('the job', async () => {
      const { job } = await body<{ job: JobStory }>(olga.call(`/api/admin/jobs/${again.job.id}`));
      return (
        job.status === 'succeeded' &&
        job.attemptLog.length === 1 &&
        job.attemptLog[0]!.outcome === 'succeeded'
      );
    });
    expect(
      (await auditOf(olga, id)).map(({ operator: who, action, reason }) => [who, action, reason]),
    ).toEqual([
      [olga.email, 'job.retry', 'Asked for'],
      [olga.email, 'job.retry', 'Asked for'],
      [olga.email, 'job.cancel', 'Asked for'],
      [olga.email, 'job.reveal', 'Asked for'],
    ]);
  });

  it('are retried once by a request that is repeated with its key, also after the retry has ended', async () => {
    const [olga, ada] = [await operator(), await product.signUp('Ada')];
    await act(olga, '/queues/text/pause');
    const id = await waitingJob(ada);
    await act(olga, `/jobs/${id}/cancel`);
    const retry = (fields: object = {}, key = 'one-dialog') =>
      olga.call(`/api/admin/jobs/${id}/retry`, {
        json: { reason: 'Asked for', ...fields },
        headers: { 'Idempotency-Key': key },
      });
    const first = await body<{ job: JobStory }>(retry());
    await act(olga, `/jobs/${first.job.id}/cancel`);
    const second = await body<{ job: JobStory }>(retry());
    expect(second.job).toMatchObject({ id: first.job.id, status: 'cancelled' });
    expect((await retry({ input: { prompt: 'Another topic' } })).status).toBe(422);
    const changed = await body<{ job: JobStory }>(retry({ input: { prompt: 'A' } }, 'another-dialog'));
    expect((await retry({ input: { prompt: 'B' } }, 'another-dialog')).status).toBe(422);
    await act(olga, `/jobs/${changed.job.id}/cancel`);
    const joined = await Promise.all([retry({}, 'third'), retry({}, 'third'), retry({}, 'fourth')]);
    const ids = await Promise.all(
      joined.map(async (answer) => (await body<{ job: JobStory }>(Promise.resolve(answer))).job.id),
    );
    expect(new Set(ids).size).toBe(1);
    await act(olga, `/jobs/${ids[0]}/cancel`);
    for (const key of ['third', 'fourth'])
      expect(await body(retry({}, key))).toMatchObject({ job: { id: ids[0], status: 'cancelled' } });
    await act(olga, '/queues/text/resume');
    expect(
      (await auditOf(olga, id)).map(({ action, details }) => [action, details['refused'] ?? null]).slice(-3),
    ).toEqual([
      ['job.retry', 'IDEMPOTENCY_MISMATCH'],
      ['job.retry', null],
      ['job.cancel', null],
    ]);
  });

  it('are changed once by two operators at once, who both stand in the log', async () => {
    const [olga, petra, ada] = [await operator(), await operator('Petra'), await product.signUp('Ada')];
    await act(olga, '/queues/text/pause');
    const id = await waitingJob(ada);
    await Promise.all([act(olga, `/jobs/${id}/cancel`), act(petra, `/jobs/${id}/cancel`)]);
    const entries = await auditOf(olga, id);
    expect(entries.map(({ operator: who }) => who).sort()).toEqual([olga.email, petra.email].sort());
    expect(entries.filter(({ details }) => details['changed'] === false)).toHaveLength(1);
    await Promise.all([act(olga, `/jobs/${id}/retry`), act(petra, `/jobs/${id}/retry`)]);
    const { job } = await body<{ job: JobStory }>(olga.call(`/api/admin/jobs/${id}`));
    expect(job.retriedBy).toHaveLength(1);
    expect((await auditOf(olga, id)).filter(({ details }) => details['changed'] === false)).toHaveLength(2);
    await act(olga, '/queues/text/resume');
  });

  it('are retried once for each different input, and not again in bulk', async () => {
    const [olga, petra, ada] = [await operator(), await operator('Petra'), await product.signUp('Ada')];
    await act(olga, '/queues/text/pause');
    const id = await waitingJob(ada);
    await act(olga, `/jobs/${id}/cancel`);
    const retry = async (by: SignedInUser, input: object) =>
      (await body<{ job: JobStory }>(act(by, `/jobs/${id}/retry`, { input }))).job.id;
    const first = await retry(olga, { prompt: 'One', category: 'Food' });
    expect(await retry(petra, { category: 'Food', prompt: 'One' })).toBe(first);
    expect(await retry(petra, { prompt: 'Two' })).not.toBe(first);
    const changed = (await auditOf(olga, id)).filter(
      ({ action, details }) => action === 'job.retry' && details['changed'] !== false,
    );
    expect(changed.map(({ details }) => details['operatorId'])).toEqual([petra.id, olga.id]);
    expect(await body(olga.call(`/api/admin/jobs/count?action=retry&user=${ada.id}`))).toMatchObject({
      count: 0,
    });
    await act(olga, '/queues/text/resume');
  });

  it('are changed many at once, if they are as many as were shown', async () => {
    const [olga, ada] = [await operator(), await product.signUp('Ada')];
    await act(olga, '/queues/text/pause');
    for (let n = 0; n < 3; n += 1) await waitingJob(ada);
    const filter = { user: ada.id };
    const { count } = await body<{ count: number }>(
      olga.call(`/api/admin/jobs/count?action=cancel&user=${ada.id}`),
    );
    expect(count).toBe(3);
    expect((await act(olga, '/jobs/bulk', { action: 'cancel', filter, count: 2 })).status).toBe(400);
    expect(await body(act(olga, '/jobs/bulk', { action: 'cancel', filter, count }))).toMatchObject({
      changed: 3,
      refused: 0,
    });
    expect((await auditOf(olga, 'bulk')).map(({ details }) => details)).toEqual([
      { refused: 'VALIDATION_FAILED', operatorId: olga.id },
    ]);
    await act(olga, '/queues/text/resume');
  });
});

it('shows queues, programs and maintenance', async () => {
  const olga = await operator();
  closeGate();
  await act(olga, '/queues/image/pause', { reason: 'A broken model' });
  const overview = await body<{ queues: QueueState[]; programs: object[]; tasks: { name: string }[] }>(
    olga.call('/api/admin/overview'),
  );
  expect(overview.queues).toMatchObject([
    { queue: 'text', paused: false, slots: 1 },
    { queue: 'image', paused: true, reason: 'A broken model' },
    { queue: 'pdf' },
  ]);
  await act(olga, '/queues/image/resume');
  await until('both programs and the tasks', async () => {
    const { programs, tasks } = await body<{ programs: { isRunning: boolean }[]; tasks: { name: string }[] }>(
      olga.call('/api/admin/overview'),
    );
    return programs.some(({ isRunning }) => isRunning) && tasks.some(({ name }) => name === 'queue entries');
  });
});

describe('users', () => {
  it('are found, given credits and a plan, signed out, suspended and deleted with a receipt', async () => {
    const [olga, ada] = [await operator(), await product.signUp('Ada')];
    const { users } = await body<{ users: object[] }>(
      olga.call(`/api/admin/users?search=${encodeURIComponent(ada.email.toUpperCase())}`),
    );
    expect(users).toMatchObject([{ id: ada.id, plan: 'free' }]);
    const of = `/users/${ada.id}`;
    expect(await body(act(olga, `${of}/credits`, { amount: 5 }))).toMatchObject({
      user: { credits: { remaining: 35 } },
    });
    expect((await act(olga, `${of}/credits`, { amount: -99 })).status).toBe(400);
    expect(await body(act(olga, `${of}/plan`, { plan: 'premium' }))).toMatchObject({
      user: { plan: 'premium' },
    });
    const socket: Socket = io(product.origin, {
      transports: ['websocket'],
      auth: { token: ada.token },
      reconnection: false,
    });
    await until('the socket', () => socket.connected);
    const begun = performance.now();
    expect(await body(act(olga, `${of}/suspend`))).toMatchObject({
      user: { suspendedReason: 'Asked for', sessions: [] },
    });
    await until('the socket to be closed', () => !socket.connected);
    expect((await ada.call('/api/user/account')).status).toBe(403);
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect((await act(olga, `/users/${olga.id}/suspend`)).status).toBe(400);
    expect(await body(act(olga, `${of}/unsuspend`))).toMatchObject({ user: { suspendedAt: null } });

    const remove = (confirm: string) =>
      olga.call(`/api/admin${of}`, { method: 'DELETE', json: { reason: 'By letter', confirm } });
    expect((await remove('somebody else')).status).toBe(400);
    await product.sql(
      `INSERT INTO provider_calls (id, job_id, attempt, user_id, plan, tool, model, provider, kind, status, started_at)
       VALUES (gen_random_uuid(), gen_random_uuid(), 1, $1, 'free', 'generate-article', 'm', 'main', 'text', 'ok', now())`,
      [ada.id],
    );
    const { receipt } = await body<{ receipt: DeletionReceipt }>(remove(ada.email));
    expect(receipt).toMatchObject({ rows: { users: 1 }, unlinked: { provider_calls: 1 }, left: {} });
    expect(receipt.rows).not.toHaveProperty('provider_calls');
    expect((await olga.call(`/api/admin${of}`)).status).toBe(404);
    expect((await remove(ada.email)).status).toBe(404);
    const entries = await auditOf(olga, ada.id);
    expect(entries.map(({ action, details }) => [action, details['refused'] ?? null])).toEqual([
      ['user.delete', 'NOT_FOUND'],
      ['user.delete', null],
      ['user.delete', 'VALIDATION_FAILED'],
      ['user.unsuspend', null],
      ['user.suspend', null],
      ['user.plan', null],
      ['user.credits', 'VALIDATION_FAILED'],
      ['user.credits', null],
    ]);
    expect(entries[1]!.details).toMatchObject({ sha256: receipt.sha256, operatorId: olga.id });
    expect((await auditOf(olga, olga.id)).map(({ action, details }) => [action, details['refused']])).toEqual(
      [['user.suspend', 'VALIDATION_FAILED']],
    );
    const csv = await (await olga.call('/api/admin/audit.csv')).text();
    expect(csv.split('\r\n')[0]).toBe('id,at,operator,action,target,reason,details');
    expect(csv).toContain(`"user.delete","${ada.id}","By letter"`);
  });
});

it('gives credits once for each key of a request', async () => {
  const [olga, ada] = [await operator(), await product.signUp('Ada')];
  const give = (amount: number, key: string) =>
    olga.call(`/api/admin/users/${ada.id}/credits`, {
      json: { reason: 'Asked for', amount },
      headers: { 'Idempotency-Key': key },
    });
  const answers = await Promise.all([give(5, 'a'), give(5, 'a')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await body(give(5, 'a'))).toMatchObject({ user: { credits: { remaining: 35 } } });
  expect((await give(6, 'a')).status).toBe(422);
  expect(await body(give(5, 'b'))).toMatchObject({ user: { credits: { remaining: 40 } } });
  expect((await auditOf(olga, ada.id)).map(({ details }) => details['refused'] ?? details['grant'])).toEqual([
    5,
    'IDEMPOTENCY_MISMATCH',
    5,
  ]);
});

it('gives a user other limits for a time, which the user sees', async () => {
  const [olga, ada] = [await operator(), await product.signUp('Ada')];
  const of = `/users/${ada.id}/limits`;
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const limits = { unfinishedJobs: 1, storageBytes: 5_000_000, until };
  const account = async () => body<object>(ada.call('/api/user/account'));
  expect(await body(act(olga, of, { limits }))).toMatchObject({ user: { limits } });
  expect(await account()).toMatchObject({ limits, storage: { limit: 5_000_000 } });
  await act(olga, '/queues/text/pause');
  await waitingJob(ada);
  const refused = await ada.call('/api/ai/generate-blog-title', {
    json: { prompt: 'Two', category: 'Food' },
  });
  expect([refused.status, (await json(refused)).message]).toEqual([
    429,
    expect.stringContaining('You have 1 unfinished job.'),
  ]);
  await act(olga, '/queues/text/resume');
  const past = { ...limits, until: '2020-01-01T00:00:00Z' };
  expect((await act(olga, of, { limits: past })).status).toBe(400);
  expect(
    (await act(olga, of, { limits: { ...limits, unfinishedJobs: null, storageBytes: null } })).status,
  ).toBe(400);
  await act(olga, of, { limits: null });
  expect(await account()).not.toHaveProperty('limits');
  expect(
    (await auditOf(olga, ada.id)).map(({ action, details }) => [
      action,
      details['refused'] ?? details['limits'],
    ]),
  ).toEqual([
    ['user.limits', null],
    ['user.limits', 'VALIDATION_FAILED'],
    ['user.limits', limits],
  ]);
});

it('keeps the reason of each decision about a picture', async () => {
  const [olga, ada] = [await operator(), await product.signUp('Ada')];
  const [{ id } = { id: '' }] = (await product.sql(
    `INSERT INTO creations (id, user_id, tool, engine, prompt, content, type, published)
     VALUES (gen_random_uuid(), $1, 'generate-image', 'local', 'A fox', 'key', 'image', true) RETURNING id`,
    [ada.id],
  )) as { id: string }[];
  await product.sql(
    `INSERT INTO creation_moderations (creation_id, state, cause, is_wanted, content_hash)
     VALUES ($1, 'waiting', 'changed', true, '')`,
    [id],
  );
  for (const decision of ['approve', 'hide', 'restore', 'dismiss', 'approve'])
    await act(olga, `/creations/${id}/decide`, { decision, reason: `Why ${decision}` });
  expect(
    (await auditOf(olga, id)).map(({ action, reason, details }) => [action, reason, details['refused']]),
  ).toEqual([
    ['creation.approve', 'Why approve', 'FORBIDDEN'],
    ['creation.dismiss-reports', 'Why dismiss', undefined],
    ['creation.restore', 'Why restore', undefined],
    ['creation.hide', 'Why hide', undefined],
    ['creation.approve', 'Why approve', undefined],
  ]);
});

it.each(['/jobs?from=0000-01-01T00:00:00Z', '/costs?from=0000-01-01&to=0000-01-02'])(
  'refuses the year 0: %s',
  async (path) => {
    expect((await (await operator()).call(`/api/admin${path}`)).status).toBe(400);
  },
);
