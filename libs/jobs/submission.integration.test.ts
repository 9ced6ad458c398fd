import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { AppError } from '#libs/contract/errors.js';
import { lanes } from '#libs/queue/priorities.js';
import { tools } from '#libs/tools/catalogue.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { batchItemPlace } from '#libs/batches/batch-items.js';
import { Batches } from '#libs/batches/batches.js';
import { Reconciler } from '#libs/scheduling/reconciler.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';

describe('Submitting a job', () => {
  let platform: JobPlatform;
  beforeAll(async () => {
    platform = await openJobPlatform({ unfinishedPerUser: 40 });
  });
  afterAll(() => platform.close());
  afterEach(() => {
    platform.queue.isUnavailable = false;
    platform.queue.onAdd = async () => undefined;
    platform.setTime(null);
  });

  const jobsOf = (userId: string) =>
    platform.sql<JobEntity>('SELECT * FROM jobs WHERE user_id = $1', [userId]);
  const refusals = (settled: PromiseSettledResult<unknown>[]) =>
    settled
      .filter((one) => one.status === 'rejected')
      .map(({ reason }) => (reason as { code: unknown }).code);

  it('stores the job with its charge and places it on its queue', async () => {
    const user = await platform.user();
    const job = await platform.submit(user, { requestId: 'request-1' });
    expect(job).toMatchObject({
      status: 'queued',
      credits: 1,
      priority: 'standard',
      attempts: 0,
      title: 'Rivers',
      requestId: 'request-1',
    });
    expect(platform.queue.entries.get(job.id)).toEqual({
      jobId: job.id,
      queue: 'text',
      tool: 'generate-article',
      lane: lanes.standard,
      virtualStart: 1,
    });
    expect(await platform.ledger(user)).toMatchObject([{ balance: 29, sum: 29, kinds: ['grant', 'charge'] }]);
  });

  // Prevents a bug of open-saas (#727): with one credit, two concurrent requests both succeeded, and the balance
  // was -1.
  it('accepts exactly 30 of 50 simultaneous submissions with 30 credits', async () => {
    const user = await platform.user();
    const settled = await Promise.allSettled(Array.from({ length: 50 }, () => platform.submit(user)));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(30);
    expect(new Set(refusals(settled))).toEqual(new Set(['INSUFFICIENT_CREDITS']));
    expect(await jobsOf(user)).toHaveLength(30);
    expect(await platform.ledger(user)).toMatchObject([{ granted: 30, balance: 0, sum: 0 }]);
  });

  it('reports when the credits renew, and accepts jobs again next month', async () => {
    const user = await platform.user();
    platform.setTime('2026-02-27T10:00:00Z');
    await platform.submit(user);
    await platform.sql(`UPDATE credit_balances SET balance = 0 WHERE user_id = $1`, [user]);
    await expect(platform.submit(user)).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      message: expect.stringContaining('March 1'),
      details: { renewsAt: '2026-03-01T00:00:00.000Z' },
    });
    platform.setTime('2026-03-01T00:00:00Z');
    expect(await platform.submit(user)).toMatchObject({ credits: 1, status: 'queued' });
    expect(await platform.ledger(user)).toMatchObject([
      { month: '2026-02-01' },
      { month: '2026-03-01', balance: 29 },
    ]);
  });

  it('stores nothing for a refused job', async () => {
    const user = await platform.user();
    await platform.submit(user);
    await platform.sql(`UPDATE credit_balances SET balance = 0 WHERE user_id = $1`, [user]);
    const before = platform.queue.entries.size;
    await expect(platform.submit(user, { idempotencyKey: 'refused' })).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
    });
    expect(await jobsOf(user)).toHaveLength(1);
    expect(platform.queue.entries.size).toBe(before);
    // A refusal does not use up the key: with new credits, the same key creates the job.
    await platform.sql(`UPDATE credit_balances SET balance = 30 WHERE user_id = $1`, [user]);
    expect(await platform.submit(user, { idempotencyKey: 'refused' })).toMatchObject({ status: 'queued' });
  });

  it('costs nothing on the premium plan and is first in the queue', async () => {
    const user = await platform.user('premium');
    const job = await platform.submit(user);
    expect(job).toMatchObject({ credits: 0, chargeMonth: null, priority: 'premium' });
    expect(platform.queue.entries.get(job.id)?.lane).toBe(lanes.premium);
    expect(await platform.ledger(user)).toEqual([]);
  });

  it('refuses a premium tool on the free plan', async () => {
    const [free, premium] = [await platform.user(), await platform.user('premium')];
    const tool = tools['generate-article'];
    const { plan } = tool;
    Object.assign(tool, { plan: 'premium' });
    try {
      await expect(platform.submit(free)).rejects.toMatchObject({ code: 'PREMIUM_REQUIRED', status: 403 });
      await expect(
        platform.submission.checkAhead({ userId: free, tool: 'generate-article' }, 0),
      ).rejects.toMatchObject({ code: 'PREMIUM_REQUIRED' });
      expect(await platform.submit(premium)).toMatchObject({ status: 'queued' });
    } finally {
      Object.assign(tool, { plan });
    }
    expect(await jobsOf(free)).toEqual([]);
    expect(await platform.ledger(free)).toEqual([]);
  });

  it('enforces the limit of unfinished jobs, also for simultaneous submissions', async () => {
    const [user, other] = [await platform.user('premium'), await platform.user('premium')];
    const settled = await Promise.allSettled(Array.from({ length: 55 }, () => platform.submit(user)));
    expect(refusals(settled)).toEqual(Array(15).fill('RATE_LIMITED'));
    await expect(platform.submit(user)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: expect.any(Number),
    });
    await platform.submit(other);
    await platform.lifecycle.cancel(user, (await jobsOf(user))[0]!.id);
    expect(await platform.submit(user)).toMatchObject({ status: 'queued' });
  });

  it('leaves room for other jobs while a batch runs', async () => {
    const user = await platform.user('premium');
    const batch = await new Batches(platform).create(user, {
      tool: 'remove-image-background',
      input: {},
      items: Array.from({ length: 31 }, (_, index) => ({ id: `${index}`, name: 'a.png', size: 1 })),
    });
    const send = (n: number) =>
      platform.submit(user, {
        tool: batch.tool as 'remove-image-background',
        input: {},
        place: batchItemPlace({ batchId: batch.id, n }),
      });
    for (let n = 1; n <= 30; n += 1) await send(n);
    await expect(send(31)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 30 });
    for (let n = 1; n <= 10; n += 1) await platform.submit(user);
    await expect(platform.submit(user)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(await send(30)).toMatchObject({ status: 'queued' });
  });

  it('refuses a user whose account was deleted', async () => {
    await expect(platform.submit('nobody')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('refuses a suspended user, and charges nothing', async () => {
    const user = await platform.user();
    await platform.sql(`UPDATE users SET suspended_at = now() WHERE id = $1`, [user]);
    await expect(platform.submit(user)).rejects.toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
    expect([await jobsOf(user), await platform.ledger(user)]).toEqual([[], []]);
  });

  it('refuses text that PostgreSQL cannot store', async () => {
    const user = await platform.user();
    for (const prompt of ['nul \u0000 inside', 'half a pair \ud83e']) {
      await expect(platform.submit(user, { input: { prompt, length: 800 } })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
      });
    }
    expect(
      await platform.submit(user, {
        input: { prompt: 'a whole pair 🦊, \\u0000 in letters', length: 800 },
      }),
    ).toMatchObject({
      status: 'queued',
    });
  });

  it('removes control characters of pasted text from the new input of a retry', async () => {
    const user = await platform.user();
    const { id } = await platform.submit(user);
    await platform.lifecycle.cancel(user, id);
    const input = { prompt: 'one page\fand \u0001another', length: 800 };
    expect(await platform.submission.retry(user, id, { input })).toMatchObject({
      input: { prompt: 'one page\nand another' },
    });
  });

  it('removes them from the stored input of a retry, which earlier versions accepted', async () => {
    const user = await platform.user();
    const { id } = await platform.submit(user);
    await platform.lifecycle.cancel(user, id);
    const input = { prompt: 'one page\fand \u0001another', length: 800 };
    await platform.sql('UPDATE jobs SET input = $2 WHERE id = $1', [id, JSON.stringify(input)]);
    expect(await platform.submission.retry(user, id)).toMatchObject({
      input: { prompt: 'one page\nand another' },
    });
  });

  describe('with an Idempotency-Key', () => {
    it('creates one job and one charge for 20 simultaneous requests', async () => {
      const user = await platform.user();
      const jobs = await Promise.all(
        Array.from({ length: 20 }, () => platform.submit(user, { idempotencyKey: 'k' })),
      );
      expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
      expect(await jobsOf(user)).toHaveLength(1);
      expect(await platform.ledger(user)).toMatchObject([{ balance: 29, kinds: ['grant', 'charge'] }]);
    });

    it('returns the same job after the credits are used up, and after its end', async () => {
      const user = await platform.user();
      const job = await platform.submit(user, { idempotencyKey: 'k' });
      await platform.sql(`UPDATE credit_balances SET balance = 0 WHERE user_id = $1`, [user]);
      await platform.lifecycle.cancel(user, job.id);
      expect(await platform.submit(user, { idempotencyKey: 'k' })).toMatchObject({
        id: job.id,
        status: 'cancelled',
      });
    });

    it('accepts the same content in another order, and refuses other content', async () => {
      const user = await platform.user();
      const job = await platform.submit(user, { idempotencyKey: 'k', input: { prompt: 'a', length: 800 } });
      expect(
        (await platform.submit(user, { idempotencyKey: 'k', input: { length: 800, prompt: 'a' } })).id,
      ).toBe(job.id);
      for (const input of [
        { prompt: 'b', length: 800 },
        { prompt: 'a', length: 1200 },
      ]) {
        await expect(platform.submit(user, { idempotencyKey: 'k', input })).rejects.toMatchObject({
          code: 'IDEMPOTENCY_MISMATCH',
          status: 422,
        });
      }
      expect(await jobsOf(user)).toHaveLength(1);
    });

    it('is separate for each user', async () => {
      const [ada, bob] = [await platform.user(), await platform.user()];
      const [hers, his] = await Promise.all([
        platform.submit(ada, { idempotencyKey: 'k' }),
        platform.submit(bob, { idempotencyKey: 'k' }),
      ]);
      expect(hers.id).not.toBe(his.id);
      expect([hers.userId, his.userId]).toEqual([ada, bob]);
    });

    it('can be used again after 24 hours, and not before or while the job is unfinished', async () => {
      const user = await platform.user();
      const job = await platform.submit(user, { idempotencyKey: 'k' });
      await platform.sql(
        `UPDATE jobs SET created_at = now() - interval '23 hours 59 minutes' WHERE id = $1`,
        [job.id],
      );
      expect((await platform.submit(user, { idempotencyKey: 'k' })).id).toBe(job.id);
      await platform.sql(`UPDATE jobs SET created_at = now() - interval '24 hours 1 second' WHERE id = $1`, [
        job.id,
      ]);
      expect((await platform.submit(user, { idempotencyKey: 'k' })).id).toBe(job.id);
      await platform.sql(`UPDATE jobs SET status = 'cancelled', finished_at = now() WHERE id = $1`, [job.id]);
      platform.queue.entries.delete(job.id);
      const repeated = await Promise.all(
        Array.from({ length: 5 }, () =>
          platform.submit(user, { idempotencyKey: 'k', input: { prompt: 'other' } }),
        ),
      );
      expect(new Set(repeated.map(({ id }) => id)).size).toBe(1);
      expect(repeated[0]?.id).not.toBe(job.id);
    });
  });

  it('stores a job once if its request is repeated after a failure', async () => {
    const user = await platform.user();
    const { id } = await platform.submit(user);
    const request = { userId: user, jobs: [{ id }], mayBeStored: true };
    expect(await platform.sql('SELECT submit_jobs($1, true) AS answer', [JSON.stringify(request)])).toEqual([
      { answer: { existing: id, isSame: true } },
    ]);
  });

  describe('and its queue', () => {
    // Prevents a bug of ayunis-core (#454): a job was enqueued inside an open transaction, so the worker found no
    // row.
    it('enqueues a job only after its commit', async () => {
      const seen: string[] = [];
      platform.queue.onAdd = async (entries) => {
        // Uses another connection, like a worker, which sees only committed rows.
        for (const { jobId } of entries) seen.push((await platform.job(jobId)).status);
      };
      const user = await platform.user();
      await Promise.all([platform.submit(user), platform.submit(user)]);
      expect(seen).toEqual(['queued', 'queued']);
      expect(platform.errors).toEqual([]);
    });

    // Prevents a bug of lago-api (#6319): enqueuing failed after the commit, and retries were refused as
    // duplicates for ever.
    it('accepts a job while the queue is unavailable; the same key finds it, and the reconciler enqueues it', async () => {
      const user = await platform.user();
      platform.queue.isUnavailable = true;
      const job = await platform.submit(user, { idempotencyKey: 'k' });
      expect(platform.errors.splice(0).map(({ message }) => message)).toEqual(['The queue is unavailable.']);
      expect((await platform.submit(user, { idempotencyKey: 'k' })).id).toBe(job.id);
      expect(platform.queue.entries.has(job.id)).toBe(false);

      platform.queue.isUnavailable = false;
      await platform.sql(`UPDATE jobs SET enqueued_at = now() - interval '3 seconds' WHERE id = $1`, [
        job.id,
      ]);
      await new Reconciler(platform.dataSource, platform.queue).pass();
      expect(platform.queue.entries.get(job.id)).toMatchObject({
        jobId: job.id,
        queue: 'text',
        lane: lanes.standard,
        virtualStart: job.virtualStart,
      });
      expect(await platform.ledger(user)).toMatchObject([{ balance: 29, kinds: ['grant', 'charge'] }]);
    });
  });

  // QUEUE_FULL is returned first to standard users, and only in longer queues to premium users.
  describe('to a full queue', () => {
    let full: JobPlatform;
    beforeAll(async () => {
      full = await openJobPlatform({ waitingAtMost: { standard: 3, premium: 5 } });
    });
    afterAll(() => full.close());
    afterEach(() => full.sql('DELETE FROM users'));

    it('is refused on the standard plan first, on premium later, without storing or charging anything', async () => {
      const [ada, bob, eve] = [await full.user(), await full.user(), await full.user('premium')];
      const [first] = [await full.submit(ada, { idempotencyKey: 'k' }), await full.submit(ada)];
      const last = await full.submit(bob);
      const before = full.queue.entries.size;
      await expect(full.submit(bob)).rejects.toMatchObject({ code: 'QUEUE_FULL', status: 503 });
      await expect(full.submit(ada, { idempotencyKey: 'new' })).rejects.toMatchObject({ code: 'QUEUE_FULL' });
      expect(full.queue.entries.size).toBe(before);
      expect(await full.sql('SELECT FROM jobs')).toHaveLength(3);
      expect([await full.remaining(ada), await full.remaining(bob)]).toEqual([28, 29]);
      // A repeated request still gets its job, and the other queue accepts jobs.
      expect((await full.submit(ada, { idempotencyKey: 'k' })).id).toBe(first.id);
      const pdf = { tool: 'chat-with-pdf', input: { message: 'What?' } } as const;
      await expect(full.submit(await full.user('premium'), pdf)).resolves.toMatchObject({ queue: 'pdf' });

      await full.submit(eve);
      await full.submit(eve);
      await expect(full.submit(eve)).rejects.toMatchObject({ code: 'QUEUE_FULL' });
      // Only waiting jobs count.
      for (const { id } of [first, last]) await full.lifecycle.claim(id, 60);
      await full.submit(eve);
      await expect(full.submit(bob)).rejects.toMatchObject({ code: 'QUEUE_FULL' });
    });

    it('reports when there will be room, by the throughput of the queue', async () => {
      const [ada, eve] = [await full.user(), await full.user('premium')];
      const refusal = () => full.submit(ada).catch((error: AppError) => error.retryAfterSeconds);
      for (let i = 0; i < 5; i += 1) await full.submit(eve);
      expect(await refusal()).toBe(30);
      await full.openSlots(2);
      const done = await full.submit(eve, { tool: 'chat-with-pdf', input: { message: 'What?' } });
      await full.lifecycle.claim(done.id, 60);
      await full.lifecycle.succeed(
        { jobId: done.id, attempt: 1 },
        { result: { engine: 'offline' }, creation: null },
      );
      await full.sql(
        `UPDATE jobs SET queue = 'text', tool = 'generate-article', started_at = finished_at - interval '20 seconds' WHERE id = $1`,
        [done.id],
      );
      // Two jobs above the limit, of 20 seconds each, in two slots; then one more job must start.
      expect(await refusal()).toBeGreaterThanOrEqual(10);
      expect(await refusal()).toBeLessThanOrEqual(40);
      await full.sql(`DELETE FROM worker_slots`);
    });
  });

  describe('again', () => {
    it('creates a new, charged job from the input of a failed or cancelled one', async () => {
      const user = await platform.user();
      const first = await platform.submit(user, { input: { prompt: 'Retold', length: 1200 } });
      await platform.lifecycle.cancel(user, first.id);
      const second = await platform.submission.retry(user, first.id);
      expect(second).toMatchObject({
        status: 'queued',
        input: { prompt: 'Retold', length: 1200 },
        credits: 1,
        attempts: 0,
      });
      expect(second.id).not.toBe(first.id);
      expect(await platform.ledger(user)).toMatchObject([
        { balance: 29, kinds: ['grant', 'charge', 'refund', 'charge'] },
      ]);
    });

    it('refuses unfinished, succeeded, foreign and unknown jobs, and deleted inputs', async () => {
      const [user, other] = [await platform.user(), await platform.user()];
      const job = await platform.submit(user);
      const again = (userId: string, id = job.id) => platform.submission.retry(userId, id);
      await expect(again(user)).rejects.toMatchObject({ code: 'JOB_NOT_RETRYABLE' });
      await platform.lifecycle.claim(job.id, 10);
      await expect(again(user)).rejects.toMatchObject({ code: 'JOB_NOT_RETRYABLE' });
      await platform.lifecycle.fail(
        { jobId: job.id, attempt: 1 },
        { code: 'PROVIDER_FAILED', message: 'No.' },
      );
      await expect(again(other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(again(user, crypto.randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await platform.sql('UPDATE jobs SET input = NULL WHERE id = $1', [job.id]);
      await expect(again(user)).rejects.toMatchObject({ code: 'JOB_NOT_RETRYABLE' });
    });

    it('needs no stored input if a whole one is given, except if the user deleted the result', async () => {
      const user = await platform.user();
      const { id } = await platform.submit(user);
      await platform.lifecycle.cancel(user, id);
      const input = { prompt: 'Given', length: 1200 };
      for (const stored of [null, JSON.stringify({ field: 'of another version' })]) {
        await platform.sql('UPDATE jobs SET input = $2 WHERE id = $1', [id, stored]);
        const again = await platform.submission.retry(user, id, { input });
        expect(again).toMatchObject({ status: 'queued', input, retryOf: id });
      }
      await platform.sql('UPDATE jobs SET result_deleted_at = now() WHERE id = $1', [id]);
      await expect(platform.submission.retry(user, id, { input })).rejects.toMatchObject({
        code: 'JOB_NOT_RETRYABLE',
      });
    });
  });
});
