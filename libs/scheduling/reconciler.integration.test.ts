import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { lanes } from '#libs/queue/priorities.js';
import { Reconciler } from './reconciler.js';
import { applyRetention } from '#libs/creations/retention.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';
import { TestClock } from '../../test/support/test-clock.ts';

describe('Maintenance', () => {
  let platform: JobPlatform;
  let reconciler: Reconciler;
  beforeAll(async () => {
    platform = await openJobPlatform();
    reconciler = new Reconciler(platform.dataSource, platform.queue);
  });
  afterAll(() => platform.close());
  afterEach(async () => {
    platform.queue.isUnavailable = false;
    platform.queue.entries.clear();
    Object.assign(platform.queue.unavailableEntries, { delayed: [], active: [] });
    await platform.sql('DELETE FROM users');
  });

  const age = (interval: string) =>
    platform.sql(`UPDATE jobs SET enqueued_at = now() - $1::interval`, [interval]);
  const pass = async () => {
    const handedIn = await reconciler.pass();
    return { handedIn, ids: [...platform.queue.entries.keys()].sort() };
  };

  // Even if the queue loses all entries, for example when Redis is flushed, each accepted job still ends, and only
  // once.
  describe('the reconciler', () => {
    it('adds lost entries once, with their priority and remaining delay', async () => {
      const [free, premium] = [await platform.user(), await platform.user('premium')];
      const [waiting, first, paused] = [
        await platform.submit(free),
        await platform.submit(premium),
        await platform.submit(free),
      ];
      await platform.lifecycle.claim(paused.id, 10);
      await platform.lifecycle.retryLater(
        { jobId: paused.id, attempt: 1 },
        { delayMs: 60_000, message: 'Later', isFailure: true },
      );
      platform.queue.entries.clear();
      await age('3 seconds');

      expect(await pass()).toEqual({ handedIn: 3, ids: [waiting.id, first.id, paused.id].sort() });
      expect(platform.queue.entries.get(first.id)).toMatchObject({ lane: lanes.premium, delay: undefined });
      expect(platform.queue.entries.get(waiting.id)).toMatchObject({
        lane: lanes.standard,
        virtualStart: 1,
        delay: undefined,
      });
      const delay = platform.queue.entries.get(paused.id)?.delay;
      expect(delay).toBeGreaterThan(50_000);
      expect(delay).toBe(Math.round(delay!));
      expect(await pass()).toMatchObject({ handedIn: 0 });
    });

    it('checks a complete queue only for jobs that have waited for a minute', async () => {
      const user = await platform.user();
      const [one, another] = [await platform.submit(user), await platform.submit(user)];
      await age('30 seconds');
      expect(await pass()).toMatchObject({ handedIn: 0 });
      await platform.sql(`UPDATE jobs SET enqueued_at = now() - interval '61 seconds' WHERE id = $1`, [
        one.id,
      ]);
      expect(await pass()).toMatchObject({ handedIn: 1, ids: [one.id, another.id].sort() });
    });

    it('leaves a new job time to reach the queue by itself', async () => {
      await platform.submit(await platform.user());
      platform.queue.entries.clear();
      // now() does not advance inside a transaction, so that ages are exact.
      await platform.dataSource.transaction(async (transaction) => {
        const passAfter = async (seconds: number) => {
          await transaction.query(`UPDATE jobs SET enqueued_at = now() - make_interval(secs => $1)`, [
            seconds,
          ]);
          return new Reconciler(transaction, platform.queue).pass();
        };
        expect(await passAfter(1.9)).toBe(0);
        expect(await passAfter(2.1)).toBe(1);
      });
    });

    it('adds a running job if its worker died', async () => {
      const user = await platform.user();
      const [dead, alive] = [await platform.submit(user), await platform.submit(user)];
      for (const { id } of [dead, alive]) await platform.lifecycle.claim(id, 60);
      platform.queue.entries.clear();
      await age('3 seconds');
      await platform.sql(`UPDATE jobs SET lease_until = now() - interval '1 second' WHERE id = $1`, [
        dead.id,
      ]);
      expect(await pass()).toEqual({ handedIn: 1, ids: [dead.id] });
    });

    it('does not add ended jobs', async () => {
      const user = await platform.user();
      const job = await platform.submit(user);
      await platform.lifecycle.cancel(user, job.id);
      await age('1 hour');
      expect(await pass()).toEqual({ handedIn: 0, ids: [] });
    });

    it('shares the work between several workers', async () => {
      const user = await platform.user('premium');
      for (let i = 0; i < 20; i += 1) await platform.submit(user);
      platform.queue.entries.clear();
      await age('3 seconds');
      const handedIn = await Promise.all(Array.from({ length: 4 }, () => reconciler.pass()));
      expect(handedIn.reduce((sum, count) => sum + count, 0)).toBe(20);
      expect(platform.queue.entries.size).toBe(20);
    });

    // A worker whose clock is wrong sets delays and locks that are too long by the clock's error.
    it('requeues an entry that is delayed longer than the job’s row says', async () => {
      const clock = new TestClock();
      const reconciler = new Reconciler(platform.dataSource, platform.queue, clock);
      const user = await platform.user();
      const submit = async () => (await platform.submit(user)).id;
      const [due, waiting, dead, alive, ended] = [
        await submit(),
        await submit(),
        await submit(),
        await submit(),
        await submit(),
      ];
      for (const id of [waiting, dead, alive]) await platform.lifecycle.claim(id, 60);
      const later = { delayMs: 60_000, message: 'Later', isFailure: true };
      await platform.lifecycle.retryLater({ jobId: waiting, attempt: 1 }, later);
      await platform.sql(`UPDATE jobs SET lease_until = now() - interval '1 second' WHERE id = $1`, [dead]);
      await platform.lifecycle.cancel(user, ended);
      Object.assign(platform.queue.unavailableEntries, {
        delayed: [due, waiting, ended],
        active: [dead, alive],
      });
      const pass = async () => (await reconciler.pass(), platform.queue.requeued.splice(0).sort());
      expect(await pass()).toEqual([]);
      await clock.advance(3_000);
      expect(await pass()).toEqual([due, ended].sort());
      await clock.advance(7_000);
      expect(await pass()).toContain(dead);
      expect(await pass()).toEqual([]);
    });

    it('retries after the queue was unavailable', async () => {
      const { id } = await platform.submit(await platform.user());
      platform.queue.entries.clear();
      await age('3 seconds');
      platform.queue.isUnavailable = true;
      await expect(reconciler.pass()).rejects.toThrow('unavailable');
      platform.queue.isUnavailable = false;
      expect(await pass()).toEqual({ handedIn: 1, ids: [id] });
    });
  });

  describe('retention', () => {
    const retain = () => applyRetention(platform.dataSource, platform.files, { retentionDays: 90 });

    it('stores the input of a job until seven days after its end', async () => {
      const user = await platform.user();
      const [old, recent, unfinished] = [
        await platform.submit(user),
        await platform.submit(user),
        await platform.submit(user),
      ];
      for (const { id } of [old, recent]) await platform.lifecycle.cancel(user, id);
      await platform.sql(`UPDATE jobs SET finished_at = now() - interval '7 days 1 minute' WHERE id = $1`, [
        old.id,
      ]);
      await platform.sql(`UPDATE jobs SET finished_at = now() - interval '6 days 23 hours' WHERE id = $1`, [
        recent.id,
      ]);
      await platform.sql(`UPDATE jobs SET created_at = now() - interval '30 days' WHERE id = $1`, [
        unfinished.id,
      ]);
      await retain();
      const input = async (id: string) => (await platform.job(id)).input;
      expect(await input(old.id)).toBeNull();
      expect([await input(recent.id), await input(unfinished.id)]).toEqual(
        Array(2).fill({ prompt: 'Rivers', length: 800 }),
      );
    });

    it('deletes old ended jobs, but not their creations, nor unfinished jobs', async () => {
      const user = await platform.user();
      const jobs = [];
      for (let i = 0; i < 4; i += 1) jobs.push(await platform.submit(user));
      const [made, cancelled, recent, unfinished] = jobs.map(({ id }) => id) as [
        string,
        string,
        string,
        string,
      ];
      await platform.lifecycle.claim(made, 10);
      await platform.lifecycle.succeed(
        { jobId: made, attempt: 1 },
        { result: { engine: 'offline' }, creation: { type: 'article', prompt: 'old', content: 'x' } },
      );
      for (const id of [cancelled, recent]) await platform.lifecycle.cancel(user, id);
      await platform.sql(`UPDATE jobs SET created_at = now() - interval '123 days' WHERE user_id = $1`, [
        user,
      ]);
      await platform.sql(
        `UPDATE jobs SET finished_at = now() - CASE id WHEN $2 THEN interval '89 days' ELSE interval '122 days' END
         WHERE user_id = $1 AND finished_at IS NOT NULL`,
        [user, recent],
      );
      await retain();
      const left = await platform.sql<{ id: string }>('SELECT id FROM jobs WHERE user_id = $1', [user]);
      expect(left.map(({ id }) => id).sort()).toEqual([recent, unfinished].sort());
      expect(await platform.sql('SELECT job_id, content FROM creations WHERE user_id = $1', [user])).toEqual([
        { job_id: null, content: 'x' },
      ]);
    });

    it('removes a deleted creation after 24 hours', async () => {
      const user = await platform.user();
      for (const [name, deleted] of [
        ['kept', null],
        ['deleted today', '23 hours'],
        ['deleted before', '25 hours'],
      ] as const) {
        const { id } = await platform.submit(user);
        await platform.lifecycle.claim(id, 10);
        await platform.lifecycle.succeed(
          { jobId: id, attempt: 1 },
          { result: { engine: 'offline' }, creation: { type: 'article', prompt: name, content: '' } },
        );
        await platform.sql(`UPDATE creations SET deleted_at = now() - $2::interval WHERE job_id = $1`, [
          id,
          deleted,
        ]);
      }
      await retain();
      const left = await platform.sql<{ prompt: string }>(
        'SELECT prompt FROM creations WHERE user_id = $1 ORDER BY created_at',
        [user],
      );
      expect(left.map(({ prompt }) => prompt)).toEqual(['kept', 'deleted today']);
    });
  });
});
