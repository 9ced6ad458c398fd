import { afterEach, describe, expect, it } from '@jest/globals';
import { adminRoutes } from '#libs/contract/routes/admin.js';
import { routes } from '#libs/contract/routes/table.js';
import { io, type Socket } from 'socket.io-client';
import type {
  AdminJob,
  AdminUserDetails,
  AuditEntry,
  DeletionReceipt,
  JobStory,
  ModeratedCreation,
  QueueState,
} from '#libs/contract/admin.js';
import { form, json, type SignedInUser, useInProcessProduct } from '../../test/support/in-process-product.ts';
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

/** All routes that write but `adminRevealJobFile`, which needs an upload: see below. */
type Writes = Exclude<
  {
    [Name in keyof typeof adminRoutes]: (typeof adminRoutes)[Name]['method'] extends 'GET' ? never : Name;
  }[keyof typeof adminRoutes],
  'adminRevealJobFile'
>;

it('adds an entry to the audit log for each route that changes or reveals something', async () => {
  const [olga, ada, ben] = [await operator(), await product.signUp('Ada'), await product.signUp('Ben')];
  await act(olga, '/queues/text/pause');
  const [first, second] = [await waitingJob(ada), await waitingJob(ada)];
  const [{ id: creation } = { id: '' }] = await product.sql(
    `INSERT INTO creations (id, user_id, tool, engine, prompt, content, type, published)
     VALUES (gen_random_uuid(), $1, 'generate-image', 'local', 'A fox', 'key', 'image', true) RETURNING id`,
    [ada.id],
  );
  const { key } = await body<{ key: { id: string } }>(
    ben.call('/api/keys', { json: { name: 'script', scopes: ['read'] } }),
  );
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const cases: Record<Writes, [action: string, target: string, fields?: object]> = {
    adminPauseQueue: ['queue.pause', 'image'],
    adminResumeQueue: ['queue.resume', 'image'],
    adminActOnJobs: ['job.cancel', first, { action: 'cancel', filter: { id: first }, count: 1 }],
    adminRevealJob: ['job.reveal', second],
    adminCancelJob: ['job.cancel', second],
    adminRetryJob: ['job.retry', second],
    adminSuspendUser: ['user.suspend', ben.id],
    adminUnsuspendUser: ['user.unsuspend', ben.id],
    adminSignOutUser: ['user.sign-out', ben.id],
    adminSetPlan: ['user.plan', ben.id, { plan: 'premium' }],
    adminGiveCredits: ['user.credits', ben.id, { amount: 1 }],
    adminSetLimits: ['user.limits', ben.id, { limits: { unfinishedJobs: 5, storageBytes: null, until } }],
    adminRevokeKey: ['key.revoke', key.id],
    adminDeleteUser: ['user.delete', ben.id, { confirm: ben.id }],
    adminRevealCreation: ['creation.reveal', creation],
    adminDecide: ['creation.hide', creation, { decision: 'hide' }],
  };
  for (const [name, [action, target, fields]] of Object.entries(cases)) {
    const { method, path } = adminRoutes[name as Writes];
    const ofUser = path.includes('/users/:id');
    const address = path
      .replace(':queue', target)
      .replace(':key', target)
      .replace(':id', ofUser ? ben.id : target);
    const answer = await olga.call(address, { method, json: { reason: `By ${name}`, ...fields } });
    expect([name, answer.status]).toEqual([name, 200]);
    const entries = await auditOf(olga, target);
    expect(entries.find((one) => one.reason === `By ${name}` && one.action === action)).toMatchObject({
      ...{ operator: olga.email, action, target },
      details: { operatorId: olga.id },
    });
  }
  expect((await olga.call('/api/admin/session', { method: 'POST' })).status).toBe(200);
  expect((await auditOf(olga, 'all'))[0]).toMatchObject({ operator: olga.email, action: 'queue.open-board' });
  await act(olga, '/queues/text/resume');
});

describe('jobs', () => {
  it('are found, shown whole, revealed on record, cancelled and retried with another input', async () => {
    const [olga, ada] = [await operator(), await product.signUp('Ada')];
    await body(act(olga, '/queues/text/pause', { reason: 'A test' }));
    const id = await waitingJob(ada);
    const found = await body<{ jobs: { id: string; email: string }[] }>(
      olga.call(`/api/admin/jobs?user=${encodeURIComponent(ada.email)}&order=longest-wait`),
    );
    expect(found.jobs).toMatchObject([{ id, email: ada.email, status: 'queued' }]);
    expect(JSON.stringify(found)).not.toContain('private topic');
    const shown = await body<{ job: JobStory }>(olga.call(`/api/admin/jobs/${id}`));
    expect(shown.job).toMatchObject({
      hasInput: true,
      attemptLog: [],
      ledger: [{ kind: 'charge', amount: -1 }],
    });
    expect(JSON.stringify(shown)).not.toContain('private topic');
    expect((await olga.call(`/api/admin/jobs/${id}/reveal`, { json: { reason: ' ' } })).status).toBe(400);
    expect(await body(act(olga, `/jobs/${id}/reveal`))).toMatchObject({
      input: { prompt: 'A private topic' },
    });

    expect(await body(act(olga, `/jobs/${id}/cancel`))).toMatchObject({
      job: {
        status: 'cancelled',
        ledger: [{ kind: 'charge' }, { kind: 'refund', note: 'An operator cancelled it.' }],
      },
    });
    const again = await body<{ job: JobStory }>(
      act(olga, `/jobs/${id}/retry`, { input: { prompt: 'Another topic', category: 'Food' } }),
    );
    expect(again.job).toMatchObject({ status: 'queued', retryOf: id });
    expect(await body(act(olga, `/jobs/${again.job.id}/reveal`))).toMatchObject({
      input: { prompt: 'Another topic', category: 'Food' },
    });
    expect((await auditOf(olga, id))[0]!.details).toMatchObject({ changes: ['prompt'] });
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
    expect((await retry({ input: { prompt: 'Another topic', category: 'Food' } })).status).toBe(422);
    const changed = await body<{ job: JobStory }>(
      retry({ input: { prompt: 'A', category: 'Food' } }, 'another-dialog'),
    );
    expect((await retry({ input: { prompt: 'B', category: 'Food' } }, 'another-dialog')).status).toBe(422);
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

  it('are retried with the whole new input: a removed field gets its default', async () => {
    const [olga, ada] = [await operator(), await product.signUp('Ada')];
    await act(olga, '/queues/text/pause');
    const { job } = await json(
      await ada.call('/api/ai/generate-article', {
        json: { prompt: 'Harbours', length: 1600 },
        headers: { Prefer: 'respond-async' },
      }),
    );
    const inputOf = async (id: string) =>
      (await body<{ input: Record<string, unknown> }>(act(olga, `/jobs/${id}/reveal`))).input;
    const { length, ...input } = await inputOf(job.id);
    expect(length).toBe(1600);
    await act(olga, `/jobs/${job.id}/cancel`);
    const again = await body<{ job: JobStory }>(act(olga, `/jobs/${job.id}/retry`, { input }));
    expect(await inputOf(again.job.id)).toMatchObject({ prompt: 'Harbours', length: 800 });
    await act(olga, '/queues/text/resume');
  });

  it('are retried once until the retry has ended, whatever the input, and not again in bulk', async () => {
    const [olga, petra, ada] = [await operator(), await operator('Petra'), await product.signUp('Ada')];
    await act(olga, '/queues/text/pause');
    const id = await waitingJob(ada);
    await act(olga, `/jobs/${id}/cancel`);
    const retry = async (by: SignedInUser, fields: object) =>
      (await body<{ job: JobStory }>(act(by, `/jobs/${id}/retry`, fields))).job.id;
    const same = { input: { category: 'Food', prompt: 'A private topic' } };
    const other = { input: { category: 'Food', prompt: 'Two' } };
    const first = await retry(olga, {});
    expect(await retry(petra, same)).toBe(first);
    const refused = await act(petra, `/jobs/${id}/retry`, other);
    expect([refused.status, (await json(refused)).code]).toEqual([409, 'JOB_NOT_RETRYABLE']);
    await act(olga, `/jobs/${first}/cancel`);
    expect(await retry(petra, other)).not.toBe(first);
    const changed = (await auditOf(olga, id)).filter(
      ({ action, details }) => action === 'job.retry' && details['changed'] !== false && !details['refused'],
    );
    expect(changed.map(({ details }) => details['operatorId'])).toEqual([petra.id, olga.id]);
    expect(await body(olga.call(`/api/admin/jobs/count?action=retry&id=${id}`))).toMatchObject({
      count: 0,
    });
    await act(olga, '/queues/text/resume');
  });

  it('show quoted words of the user and uploaded files only on record', async () => {
    const [olga, ada] = [await operator(), await product.signUp('Ada')];
    await act(olga, '/queues/pdf/pause');
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2_000, 'x')]);
    const { job: made } = await json(
      await ada.call('/api/ai/probe-pdf', {
        body: form({ note: 'A', resume: { bytes: pdf, name: 'cv.pdf' } }),
        headers: { Prefer: 'respond-async' },
      }),
    );
    await product.sql(
      `UPDATE jobs SET error_code = 'ENGINE_CANNOT', error_message = 'No “secret “dog”” was found. Name a “cat”.',
         stage_message = 'Looking for “secret', attempt_log = '[{"attempt": 1, "message": "A \\"secret\\" here"}]'
       WHERE id = $1`,
      [made.id],
    );
    const listed = await (await olga.call(`/api/admin/jobs?id=${made.id}`)).text();
    const page = await (await olga.call(`/api/admin/jobs/${made.id}`)).text();
    for (const text of [listed, page]) {
      expect(text).toContain('No “…”.');
      expect(text).not.toMatch(/secret|cat/);
    }
    expect(page).toContain('Looking for “…”');
    for (const [words, found] of [
      ['“…” no', true],
      ['no dog', false],
      ['secret', false],
      ['cat', false],
    ] as const) {
      const query = `id=${made.id}&words=${encodeURIComponent(words)}`;
      const { jobs } = await body<{ jobs: AdminJob[] }>(olga.call(`/api/admin/jobs?${query}`));
      expect([words, jobs.length === 1]).toEqual([words, found]);
    }
    const fileAt = (field: string) => act(olga, `/jobs/${made.id}/files/${field}`);
    expect(await body(act(olga, `/jobs/${made.id}/reveal`))).toMatchObject({
      error: 'No “secret “dog”” was found. Name a “cat”.',
      progress: 'Looking for “secret',
      files: [{ field: 'resume', name: 'cv.pdf', bytes: pdf.length }],
    });
    expect(Buffer.from(await (await fileAt('resume')).arrayBuffer()).equals(pdf)).toBe(true);
    expect((await fileAt('constructor')).status).toBe(404);
    expect(
      (await auditOf(olga, made.id)).map(({ action, details }) => [
        action,
        details['file'],
        details['refused'],
      ]),
    ).toEqual([
      ['job.reveal', undefined, 'NOT_FOUND'],
      ['job.reveal', 'resume', undefined],
      ['job.reveal', undefined, undefined],
    ]);
    await act(olga, '/queues/pdf/resume');
  });

  it('wait since their last attempt, and are found by request, part of the email and time', async () => {
    const [olga, ada] = [await operator(), await product.signUp('Ada')];
    await until('the jobs of earlier tests to end', async () => {
      const unfinished = `SELECT FROM jobs WHERE queue = 'text' AND status IN ('queued', 'running')`;
      return (await product.sql(unfinished)).length === 0;
    });
    await act(olga, '/queues/text/pause');
    const [retried, fresh] = [await waitingJob(ada), await waitingJob(ada)];
    await product.sql(
      `UPDATE jobs SET created_at = now() - interval '1 hour', started_at = now() - interval '50 minutes', attempts = 1,
         attempt_log = jsonb_build_array(jsonb_build_object('attempt', 1, 'endedAt', now() - interval '1 minute'))
       WHERE id = $1`,
      [retried],
    );
    await product.sql(`UPDATE jobs SET created_at = now() - interval '2 minutes' WHERE id = $1`, [fresh]);
    const find = async (query: string) =>
      (await body<{ jobs: AdminJob[] }>(olga.call(`/api/admin/jobs?${query}`))).jobs;
    const [longest, other] = await find(`user=${ada.id}&order=longest-wait`);
    expect([longest!.id, Math.round(longest!.waitedSeconds / 60)]).toEqual([fresh, 2]);
    expect([other!.id, Math.round(other!.waitedSeconds / 60), other!.ranSeconds]).toEqual([retried, 1, null]);
    // A cancel that waited for the start of the job.
    await product.sql(
      `UPDATE jobs SET status = 'cancelled', input = NULL, started_at = now(), finished_at = now() - interval '1 second' WHERE id = $1`,
      [fresh],
    );
    expect((await find(`user=${ada.id}`)).map(({ ranSeconds }) => ranSeconds)).toEqual([0, null]);
    await product.sql(
      `UPDATE jobs SET status = 'queued', input = '{}', started_at = NULL, finished_at = NULL WHERE id = $1`,
      [fresh],
    );
    const first = await body<{ jobs: AdminJob[]; nextCursor: string }>(
      olga.call(`/api/admin/jobs?user=${ada.id}&order=longest-wait&limit=1`),
    );
    expect(await find(`user=${ada.id}&order=longest-wait&limit=1&cursor=${first.nextCursor}`)).toMatchObject([
      { id: retried },
    ]);
    const { queues } = await body<{ queues: QueueState[] }>(olga.call('/api/admin/overview'));
    expect(queues[0]!.plans).toMatchObject({
      premium: { waiting: 0, oldestJobId: null },
      standard: { waiting: 2, oldestJobId: fresh },
    });

    const { job } = await body<{ job: JobStory }>(olga.call(`/api/admin/jobs/${fresh}`));
    expect(await find(`id=${job.requestId}`)).toMatchObject([{ id: fresh }]);
    expect(await find(`words=${job.requestId}`)).toMatchObject([{ id: fresh }]);
    const half = encodeURIComponent(ada.email.slice(0, -6));
    expect((await find(`user=${half}`)).map(({ id }) => id)).toEqual([fresh, retried]);
    await act(olga, `/jobs/${retried}/cancel`);
    const ended = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    expect(await find(`user=${ada.id}&endedFrom=${ended(-5)}`)).toMatchObject([{ id: retried }]);
    expect(await find(`user=${ada.id}&endedFrom=${ended(5)}`)).toEqual([]);
    await act(olga, `/jobs/${fresh}/cancel`);
    await act(olga, '/queues/text/resume');
  });

  it('are changed many at once, if they are as many as were shown', async () => {
    const [olga, ada] = [await operator(), await product.signUp('Ada')];
    await act(olga, '/queues/text/pause');
    for (let n = 0; n < 3; n += 1) await waitingJob(ada);
    const filter = { user: ada.email };
    const { count } = await body<{ count: number }>(
      olga.call(`/api/admin/jobs/count?action=cancel&user=${ada.id}`),
    );
    expect(count).toBe(3);
    expect((await act(olga, '/jobs/bulk', { action: 'cancel', filter, count: 2 })).status).toBe(400);
    expect(await body(act(olga, '/jobs/bulk', { action: 'cancel', filter, count }))).toMatchObject({
      changed: 3,
      refused: 0,
    });
    // One statement has one time.
    const ends = await product.sql(
      `SELECT count(DISTINCT finished_at)::integer AS count FROM jobs WHERE user_id = $1 AND status = 'cancelled'`,
      [ada.id],
    );
    expect(ends).toEqual([{ count: 1 }]);
    expect((await auditOf(olga, ada.id)).filter(({ target }) => target !== 'bulk')).toHaveLength(3);
    expect(await body(act(olga, '/jobs/bulk', { action: 'cancel', filter, count: 0 }))).toMatchObject({
      changed: 0,
    });
    const logged = { filter: { user: ada.id }, userId: ada.id, operatorId: olga.id };
    const entries = (await auditOf(olga, ada.id)).filter(({ target }) => target === 'bulk');
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['job.cancel', { ...logged, count: 0, changed: 0, refused: 0 }],
      ['job.cancel', { ...logged, count: 3, changed: 3, refused: 0 }],
      ['job.cancel', { ...logged, count: 2, refused: 'VALIDATION_FAILED' }],
    ]);
    await act(olga, '/queues/text/resume');
  });

  it('are in the log with what was changed, if an act on many fails half-way', async () => {
    const [olga, ada] = [await operator(), await product.signUp('Ada')];
    await act(olga, '/queues/text/pause');
    await waitingJob(ada);
    const second = await waitingJob(ada);
    await product.sql(
      `UPDATE jobs SET status = 'running', lease_until = now() + interval '1 hour' WHERE id = $1`,
      [second],
    );
    await product.sql(
      `CREATE FUNCTION fail_now() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'A full disk'; END $$`,
    );
    // A statement of the product on a partition may be in a deadlock with a change of the whole table.
    const change = (statement: string) =>
      until(statement, () =>
        product.sql(statement).then(
          () => true,
          () => false,
        ),
      );
    await change(
      `CREATE TRIGGER fail_now BEFORE UPDATE ON jobs FOR EACH ROW WHEN (NEW.id = '${second}') EXECUTE FUNCTION fail_now()`,
    );
    const filter = { user: ada.email, tool: 'generate-blog-title' };
    const cancel = (count: number) => act(olga, '/jobs/bulk', { action: 'cancel', filter, count });
    expect((await cancel(2)).status).toBe(500);
    await change(`DROP FUNCTION fail_now CASCADE`);
    expect((await auditOf(olga, 'bulk'))[0]!.details).toMatchObject({
      ...{ filter: { ...filter, user: ada.id }, count: 2, changed: 1, refused: 0, failed: true },
    });
    expect(await body(cancel(1))).toMatchObject({ changed: 1 });
    await act(olga, '/queues/text/resume');
  });
});

it('finds jobs by words of the error, in any order', async () => {
  const [olga, ada] = [await operator(), await product.signUp('Ada')];
  await product.sql(
    `INSERT INTO jobs (id, user_id, tool, queue, title, priority, status, error_code, error_message, finished_at)
     SELECT gen_random_uuid(), $1, 'generate-image', 'image', 'A', 'standard', 'failed', 'INTERNAL', message, now()
     FROM unnest($2::text[]) AS message`,
    [ada.id, ['The provider hit its timeout.', 'The provider is down.', '']],
  );
  const find = async (words: string) => {
    const query = new URLSearchParams({ user: ada.id, words });
    return (await body<{ jobs: AdminJob[] }>(olga.call(`/api/admin/jobs?${query.toString()}`))).jobs.length;
  };
  expect(
    await Promise.all(['provider timeout', ' Timeout  provider', 'provider', 'outage'].map(find)),
  ).toEqual([1, 1, 2, 0]);
});

it('shows how many slots standard jobs keep from premium jobs', async () => {
  const [olga, ada] = [await operator(), await product.signUp('Ada')];
  const reserved = async () => {
    const { queues } = await body<{ queues: QueueState[] }>(olga.call('/api/admin/overview'));
    return queues.map(({ queue, slots, reservedSlots }) => ({ queue, slots, reservedSlots }))[0]!;
  };
  await product.sql(`UPDATE jobs SET finished_at = now() - interval '2 minutes' WHERE status = 'succeeded'`);
  const { queue, slots, reservedSlots } = await reserved();
  expect(reservedSlots).toBe(0);
  await act(olga, `/queues/${queue}/pause`);
  await product.sql(`INSERT INTO worker_slots (worker_id, queue, slots) VALUES ('other', $1, 8)`, [queue]);
  const id = await waitingJob(ada);
  expect(await reserved()).toEqual({ queue, slots: slots + 8, reservedSlots: Math.floor((slots + 8) / 4) });
  await product.sql(`DELETE FROM worker_slots WHERE worker_id = 'other'`);
  await act(olga, `/jobs/${id}/cancel`);
  await act(olga, `/queues/${queue}/resume`);
});

it('counts every job that ended, by plan', async () => {
  const [olga, ada] = [await operator(), await product.signUp('Ada', 'premium')];
  const states = async () =>
    (await body<{ queues: QueueState[] }>(olga.call('/api/admin/overview'))).queues[1]!;
  const before = await states();
  await product.sql(
    `INSERT INTO jobs (id, user_id, tool, queue, title, priority, status, error_code, created_at, finished_at)
     SELECT gen_random_uuid(), $1, 'generate-image', 'image', 'A', 'premium', 'failed', 'INTERNAL',
       now() - interval '5 hours', now() - interval '1 minute' FROM generate_series(1, 5)`,
    [ada.id],
  );
  const after = await states();
  expect(after.failedLastHour - before.failedLastHour).toBe(5);
  expect(after.plans.premium.endedPerMinute - before.plans.premium.endedPerMinute).toBeCloseTo(1);
  expect(after.plans.standard.endedPerMinute).toBe(before.plans.standard.endedPerMinute);
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
    const { url } = await body<{ url: string }>(ada.call('/api/user/export', { method: 'POST' }));
    const begun = performance.now();
    // Two seconds later, the answer would be 401: the session has ended.
    const refusal = until('the token to be refused', async () => {
      const answer = await ada.call('/api/user/account');
      return answer.status !== 200 && answer;
    });
    expect(await body(act(olga, `${of}/suspend`))).toMatchObject({
      user: { suspendedReason: 'Asked for', sessions: [] },
    });
    await until('the socket to be closed', () => !socket.connected);
    expect((await refusal).status).toBe(403);
    expect((await fetch(url)).status).toBe(404);
    expect(performance.now() - begun).toBeLessThan(20_000);
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
      ['user.files-deleted', null],
      ['user.delete', null],
      ['user.delete', 'VALIDATION_FAILED'],
      ['user.unsuspend', null],
      ['user.suspend', null],
      ['user.plan', null],
      ['user.credits', 'VALIDATION_FAILED'],
      ['user.credits', null],
    ]);
    expect(entries[2]!.details).toMatchObject({ sha256: receipt.sha256, operatorId: olga.id });
    expect((await auditOf(olga, olga.id)).map(({ action, details }) => [action, details['refused']])).toEqual(
      [['user.suspend', 'VALIDATION_FAILED']],
    );
    const csv = await (await olga.call('/api/admin/audit.csv')).text();
    expect(csv.split('\r\n')[0]).toBe('id,at,operator,action,target,reason,details');
    expect(csv).toContain(`"user.delete","${ada.id}","By letter"`);
  });
});

it('says of the second of two equal acts that it changed nothing', async () => {
  const [olga, petra, ada] = [await operator(), await operator('Petra'), await product.signUp('Ada')];
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const limits = { unfinishedJobs: 1, storageBytes: 5_000_000, until };
  const of = `/users/${ada.id}`;
  for (const [path, fields] of [
    [`${of}/suspend`, {}],
    [`${of}/unsuspend`, {}],
    [`${of}/plan`, { plan: 'premium' }],
    [`${of}/limits`, { limits }],
    [`${of}/limits`, { limits: null }],
    ['/queues/image/pause', {}],
    ['/queues/image/resume', {}],
  ] as const) {
    const answers = await Promise.all(
      [olga, petra].map((one) => act(one, path, { ...fields, reason: `By ${one.id}` })),
    );
    const target = path.startsWith(of) ? ada.id : 'image';
    const entries = (await auditOf(olga, target)).slice(0, 2);
    const [changed, unchanged] = [false, true].map((isUnchanged) =>
      entries.filter(({ details }) => (details['changed'] === false) === isUnchanged),
    );
    expect([path, answers.map(({ status }) => status)]).toEqual([path, [200, 200]]);
    expect([path, changed?.length, unchanged?.length]).toEqual([path, 1, 1]);
    const answer = JSON.stringify(await json(answers[0]!.clone()));
    if (path.endsWith('suspend') && !path.endsWith('unsuspend'))
      expect(answer).toContain(`"suspendedReason":"${changed![0]!.reason}"`);
  }
});

it('lists refused acts on a job, a picture or a key on the page of their user', async () => {
  const [olga, ada] = [await operator(), await product.signUp('Ada')];
  await act(olga, '/queues/text/pause');
  const id = await waitingJob(ada);
  await act(olga, '/queues/text/resume');
  const picture = await publishedPicture(ada);
  expect((await act(olga, `/jobs/${id}/files/resume`)).status).toBe(404);
  expect((await act(olga, `/creations/${picture}/decide`, { decision: 'approve' })).status).toBe(403);
  expect((await act(olga, `/users/${ada.id}/keys/unknown/revoke`)).status).toBe(404);
  const { user } = await body<{ user: AdminUserDetails }>(olga.call(`/api/admin/users/${ada.id}`));
  expect(user.audit.map(({ action, details }) => [action, details['refused']])).toEqual([
    ['key.revoke', 'NOT_FOUND'],
    ['creation.approve', 'FORBIDDEN'],
    ['job.reveal', 'NOT_FOUND'],
  ]);
});

it('finds the acts on what belongs to a user, filters them by time, and exports what is filtered', async () => {
  const [olga, ada] = [await operator(), await product.signUp('Ada')];
  await act(olga, '/queues/text/pause');
  const id = await waitingJob(ada);
  await act(olga, `/jobs/${id}/reveal`);
  await act(olga, `/jobs/${id}/cancel`);
  await act(olga, '/queues/text/resume');
  const picture = await publishedPicture(ada);
  await act(olga, `/creations/${picture}/decide`, { decision: 'hide' });
  const actions = ['creation.hide', 'job.cancel', 'job.reveal'];
  const { user } = await body<{ user: AdminUserDetails }>(olga.call(`/api/admin/users/${ada.id}`));
  expect(user.audit.map(({ action }) => action)).toEqual(actions);
  const find = async (query: string) =>
    (await body<{ entries: AuditEntry[] }>(olga.call(`/api/admin/audit?target=${ada.id}&${query}`))).entries;
  expect((await find(`action=job.&operator=${olga.email.slice(0, 5)}`)).map(({ action }) => action)).toEqual(
    actions.slice(1),
  );
  const hidden = user.audit[0]!.at;
  expect((await find(`from=${hidden}`)).map(({ action }) => action)).toEqual(actions.slice(0, 1));
  expect((await find(`to=${hidden}`)).map(({ action }) => action)).toEqual(actions.slice(1));
  const csv = await (
    await olga.call(`/api/admin/audit.csv?target=${ada.id}&action=job.&to=${hidden}`)
  ).text();
  expect(
    csv
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[3]),
  ).toEqual(['"job.reveal"', '"job.cancel"']);
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

/** @returns the id of a published picture of a user */
async function publishedPicture(user: SignedInUser): Promise<string> {
  const [{ id } = { id: '' }] = (await product.sql(
    `INSERT INTO creations (id, user_id, tool, engine, prompt, content, type, published)
     VALUES (gen_random_uuid(), $1, 'generate-image', 'local', 'A fox', 'key', 'image', true) RETURNING id`,
    [user.id],
  )) as { id: string }[];
  return id;
}

describe('pictures', () => {
  interface Listed {
    creations: ModeratedCreation[];
    nextCursor: string | null;
  }
  const list = (user: SignedInUser, query = '') => body<Listed>(user.call(`/api/admin/reports?${query}`));

  it('are found while they are hidden or published, by id, and page by page', async () => {
    const [olga, ada] = [await operator(), await product.signUp('Ada')];
    const ids = [await publishedPicture(ada), await publishedPicture(ada), await publishedPicture(ada)];
    // Creations of one millisecond would be in the order of their ids.
    for (const [index, id] of ids.entries())
      await product.sql(
        `UPDATE creations SET created_at = created_at + make_interval(secs => $1) WHERE id = $2`,
        [index, id],
      );
    const stateOf = async (id: string) => {
      const { creations } = await list(olga, `id=${id}`);
      return creations.map(({ published, state, isTakenDown }) => [published, state, isTakenDown]);
    };
    const idsOf = async (query: string) =>
      (await list(olga, query)).creations.map(({ id }) => id).filter((id) => ids.includes(id));
    const first = await list(olga, 'show=published&limit=2');
    const second = await list(olga, `show=published&limit=2&cursor=${first.nextCursor}`);
    expect([...first.creations, ...second.creations].map(({ id }) => id).slice(0, 3)).toEqual(
      ids.toReversed(),
    );
    expect(await idsOf('show=open')).toEqual([]);

    const [hidden, down] = ids as [string, string];
    await act(olga, `/creations/${hidden}/decide`, { decision: 'hide' });
    await product.sql(
      `INSERT INTO creation_reports (creation_id, user_id, reason, counts) VALUES ($1, $2, 'spam', true)`,
      [down, olga.id],
    );
    expect(await idsOf('show=open')).toEqual([down]);
    await act(olga, `/creations/${down}/decide`, { decision: 'takedown' });
    expect(await idsOf('show=open')).toEqual([]);
    expect(await idsOf('show=hidden')).toEqual([down, hidden]);
    expect([await stateOf(hidden), await stateOf(down)]).toEqual([
      [[false, 'hidden', false]],
      [[false, 'hidden', true]],
    ]);
    await act(olga, `/creations/${hidden}/decide`, { decision: 'restore' });
    await act(olga, `/creations/${down}/decide`, { decision: 'restore' });
    expect([await stateOf(hidden), await stateOf(down)]).toEqual([
      [[true, 'approved', false]],
      [[false, 'approved', false]],
    ]);
  });

  it('that are not public are revealed on record only', async () => {
    const [olga, ada] = [await operator(), await product.signUp('Ada')];
    const id = await publishedPicture(ada);
    expect((await list(olga, `id=${id}`)).creations).toMatchObject([
      { contents: { caption: 'A fox', image: 'key', thumbnail: null } },
    ]);
    await act(olga, `/creations/${id}/decide`, { decision: 'hide' });
    const listed = await list(olga, 'show=hidden');
    expect(listed.creations.find((creation) => creation.id === id)).toMatchObject({ contents: null });
    expect(JSON.stringify(listed)).not.toContain('A fox');
    expect((await olga.call(`/api/admin/creations/${id}/reveal`, { json: { reason: ' ' } })).status).toBe(
      400,
    );
    expect(await body(act(olga, `/creations/${id}/reveal`))).toMatchObject({
      caption: 'A fox',
      image: 'key',
      text: null,
    });
    expect((await auditOf(olga, id))[0]).toMatchObject({
      action: 'creation.reveal',
      reason: 'Asked for',
      details: { userId: ada.id },
    });
  });
});

it('keeps the reason of each decision about a picture', async () => {
  const [olga, ada] = [await operator(), await product.signUp('Ada')];
  const id = await publishedPicture(ada);
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
