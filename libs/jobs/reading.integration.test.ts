import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Job } from '#libs/contract/jobs.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { Batches } from '#libs/batches/batches.js';
import { QueuePositions } from '#libs/scheduling/queue-positions.js';
import { RunTimes } from '#libs/scheduling/run-times.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';
import { TestClock } from '../../test/support/test-clock.ts';

describe('Reading jobs', () => {
  let platform: JobPlatform;
  beforeAll(async () => {
    platform = await openJobPlatform();
  });
  afterAll(() => platform.close());
  afterEach(() => platform.sql('DELETE FROM users'));

  async function allPages(userId: string, limit: number): Promise<Job[][]> {
    const pages: Job[][] = [];
    let cursor: string | undefined;
    do {
      const { jobs, nextCursor } = await platform.reader.list(userId, { limit, cursor });
      pages.push(jobs);
      cursor = nextCursor ?? undefined;
    } while (cursor);
    return pages;
  }

  it('shows a job to its owner only, with the text so far', async () => {
    const [ada, bob] = [await platform.user(), await platform.user()];
    const { id } = await platform.submit(ada);
    await platform.lifecycle.claim(id, 10);
    await platform.lifecycle.renew({ jobId: id, attempt: 1 }, 10, { partial: 'So far' });
    expect(await platform.reader.get(ada, id)).toMatchObject({
      id,
      status: 'running',
      partial: 'So far',
      position: null,
    });
    await expect(platform.reader.get(bob, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await platform.reader.list(bob, { limit: 20 })).jobs).toEqual([]);
    await platform.lifecycle.succeed(
      { jobId: id, attempt: 1 },
      { result: { content: 'The whole', engine: 'openai' }, creation: null },
    );
    expect(await platform.reader.get(ada, id)).toMatchObject({
      status: 'succeeded',
      partial: 'The whole',
      result: { content: 'The whole' },
    });
  });

  it('lists jobs of the same millisecond in pages, each once, newest first', async () => {
    const user = await platform.user('premium');
    for (let i = 0; i < 23; i += 1) await platform.submit(user);
    await platform.sql(
      `UPDATE jobs SET created_at = '2026-03-01T10:00:00.123Z' WHERE id IN (SELECT id FROM jobs WHERE user_id = $1 LIMIT 15)`,
      [user],
    );
    const everything = (await platform.reader.list(user, { limit: 100 })).jobs.map(({ id }) => id);
    for (const limit of [1, 4, 23, 24]) {
      const pages = await allPages(user, limit);
      expect(pages.flat().map(({ id }) => id)).toEqual(everything);
      expect(pages).toHaveLength(Math.ceil(23 / limit));
    }
    const times = (await platform.reader.list(user, { limit: 100 })).jobs.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('begins a stream with the unfinished jobs, and with 1 MB of those that ended', async () => {
    const user = await platform.user('premium');
    for (let i = 0; i < 2; i += 1) await platform.submit(user);
    // The input of a job is not sent.
    await platform.sql(
      `UPDATE jobs SET input = jsonb_build_object('text', repeat('x', 2000000)) WHERE user_id = $1`,
      [user],
    );
    await platform.sql(
      `INSERT INTO jobs (id, user_id, tool, queue, title, priority, status, result, started_at, finished_at)
       SELECT gen_random_uuid(), $1, 'generate-article', 'text', '', 'premium', 'succeeded',
         jsonb_build_object('content', repeat('x', 300000)), now(), now() FROM generate_series(1, 6)`,
      [user],
    );
    const statuses = async (since: Date | null) =>
      (await platform.reader.unfinishedOrEndedSince(user, since)).map(({ status }) => status);
    expect(await statuses(null)).toEqual(['queued', 'queued']);
    expect(await statuses(new Date(0))).toEqual([
      ...Array.from({ length: 4 }, () => 'succeeded'),
      ...['queued', 'queued'],
    ]);
  });

  it('estimates a job by recent ones of its tool, engine and size, if there are enough', async () => {
    const user = await platform.user('premium');
    const add = (seconds: number[], engine: string, size: number, attempts = 1) =>
      platform.sql(
        `INSERT INTO jobs (id, user_id, tool, queue, title, priority, status, result, attempts, engine, size, started_at, finished_at)
         SELECT gen_random_uuid(), $1, 'generate-article', 'text', '', 'premium', 'succeeded', '{}', $5, $3, $4,
           now() - make_interval(secs => took), now() FROM unnest($2::float[]) AS took`,
        [user, seconds, engine, size, attempts],
      );
    await add([10, 20, 30, 40, 1_000], 'openai', 800);
    await add([1, 1, 1, 1], 'offline', 800);
    await add([60, 60, 60, 60, 60, 60], 'openai', 1600);
    // Jobs with two attempts, whose durations include waiting.
    await add([900, 900, 900, 900, 900, 900], 'openai', 1600, 2);
    const times = new RunTimes(platform.dataSource);
    expect(await times.expect('generate-article', 'openai', 800)).toEqual({ from: 20, to: 40 });
    expect(await times.expect('generate-article', 'openai', 1600)).toEqual({ from: 60, to: 60 });
    expect(await times.expect('generate-article', 'offline', 800)).toBeNull();
    expect(await times.expect('generate-article', 'openai', 1200)).toBeNull();
  });

  it('estimates by the newest jobs only, and pauses after a failed query', async () => {
    const user = await platform.user('premium');
    const add = (count: number, engine: string | null, ago: string) =>
      platform.sql(
        `INSERT INTO jobs (id, user_id, tool, queue, title, priority, status, result, attempts, engine, size, started_at, finished_at)
         SELECT gen_random_uuid(), $1, 'generate-article', 'text', '', 'premium', 'succeeded', '{}', 1, $3, 800,
           now() - $4::interval - interval '1 minute', now() - $4::interval FROM generate_series(1, $2)`,
        [user, count, engine, ago],
      );
    await add(5, 'openai', '1 day');
    // Jobs stored by an older version, without an engine.
    await add(395, null, '1 hour');
    const expected = (times: RunTimes) => times.expect('generate-article', 'openai', 800);
    expect(await expected(new RunTimes(platform.dataSource))).toEqual({ from: 60, to: 60 });
    await add(1, null, '1 minute');
    expect(await expected(new RunTimes(platform.dataSource))).toBeNull();

    await add(5, 'openai', '1 second');
    const clock = new TestClock();
    await platform.dataSource.transaction(async (transaction) => {
      const times = new RunTimes(transaction, clock);
      await transaction.query('SAVEPOINT healthy');
      await expect(transaction.query('no statement')).rejects.toThrow();
      await expect(expected(times)).rejects.toThrow('aborted');
      await transaction.query('ROLLBACK TO SAVEPOINT healthy');
      await expect(expected(times)).rejects.toThrow('aborted');
      clock.set(-60_000);
      await clock.advance(20_000);
      expect(await expected(times)).toEqual({ from: 60, to: 60 });
    });
  });

  it('shows estimated and measured progress, which does not decrease in a new attempt', async () => {
    const user = await platform.user();
    const { id } = await platform.submit(user);
    const progress = async () => (await platform.reader.get(user, id)).progress;
    expect(await progress()).toMatchObject({ percent: 0, kind: 'estimated', elapsedSeconds: null });
    await platform.lifecycle.claim(id, 10);
    await platform.sql(`UPDATE jobs SET started_at = now() - interval '200 seconds' WHERE id = $1`, [id]);
    await platform.lifecycle.renew({ jobId: id, attempt: 1 }, 10, {
      progress: { percent: 5, stage: 'briefing', message: 'Briefing' },
      plan: { engine: 'openai', expected: { from: 200, to: 400 } },
    });
    const estimated = await progress();
    expect(estimated).toMatchObject({
      kind: 'estimated',
      measure: null,
      expectedSeconds: { from: 200, to: 400 },
    });
    expect(estimated.percent).toBeGreaterThanOrEqual(45);
    expect(estimated.elapsedSeconds).toBeGreaterThanOrEqual(200);
    const measure = { done: 400, total: 800, unit: 'words' as const };
    await platform.lifecycle.renew({ jobId: id, attempt: 1 }, 10, {
      progress: { percent: 60, stage: 'writing', message: 'Writing', measure },
      plan: { engine: 'openai', expected: { from: 1, to: 2 } },
    });
    expect(await progress()).toMatchObject({ percent: 60, kind: 'measured', measure });
    await platform.lifecycle.retryLater(
      { jobId: id, attempt: 1 },
      { delayMs: 0, message: 'Again', isFailure: true },
    );
    expect(await progress()).toMatchObject({ percent: 60, kind: 'estimated', measure: null });
    await platform.lifecycle.claim(id, 10);
    await platform.lifecycle.renew({ jobId: id, attempt: 2 }, 10, {
      progress: { percent: 5, stage: 'briefing', message: 'Briefing' },
    });
    expect(await progress()).toMatchObject({ percent: 60, expectedSeconds: { from: 200, to: 400 } });
    await platform.sql(`UPDATE jobs SET started_at = now() - interval '360 seconds' WHERE id = $1`, [id]);
    const { percent } = await progress();
    expect(percent).toBeGreaterThanOrEqual(81);
    await platform.lifecycle.fail({ jobId: id, attempt: 2 }, { code: 'INTERNAL', message: 'It failed.' });
    expect((await progress()).percent).toBeGreaterThanOrEqual(percent);
  });

  it('filters by status and tool', async () => {
    const user = await platform.user();
    const [first, second] = [await platform.submit(user), await platform.submit(user)];
    await platform.lifecycle.cancel(user, first.id);
    const ids = async (query: object) =>
      (await platform.reader.list(user, { limit: 20, ...query })).jobs.map(({ id }) => id);
    expect(await ids({ status: 'cancelled' })).toEqual([first.id]);
    expect(await ids({ status: 'queued', tool: 'generate-article' })).toEqual([second.id]);
    expect(await ids({ tool: 'another' })).toEqual([]);
  });

  it('refuses a foreign cursor', async () => {
    const user = await platform.user();
    const own = encodeCursor(new Date('2026-03-01T10:00:00.123Z'), crypto.randomUUID());
    expect(decodeCursor(own).time).toBe('2026-03-01T10:00:00.123Z');
    for (const cursor of [
      '',
      'nonsense',
      own.slice(2),
      Buffer.from('["now()", "x"]').toString('base64url'),
      encodeCursor(new Date('0000-01-01T00:00:00Z'), crypto.randomUUID()),
    ]) {
      await expect(platform.reader.list(user, { limit: 20, cursor })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
      });
    }
  });

  describe('queue positions', () => {
    it('put premium first, then older jobs, and count waiting jobs only', async () => {
      const [free, premium] = [await platform.user(), await platform.user('premium')];
      const jobs = [
        await platform.submit(free),
        await platform.submit(premium),
        await platform.submit(free),
        await platform.submit(premium),
      ];
      const running = await platform.submit(premium);
      await platform.lifecycle.claim(running.id, 10);

      const positions = await Promise.all(
        jobs.map(async ({ id }) => (await platform.places.of(await platform.job(id)))?.position),
      );
      expect(positions).toEqual([3, 1, 4, 2]);
      expect(await platform.places.of(await platform.job(running.id))).toBeNull();

      const places = await platform.places.ofUsers([free, premium]);
      expect(new Map(places.map(({ id, position }) => [id, position]))).toEqual(
        new Map(jobs.map(({ id }, i) => [id, positions[i]])),
      );
      expect((await platform.places.ofUsers([free])).map(({ userId }) => userId)).toEqual([free, free]);
      expect(await platform.places.ofUsers([])).toEqual([]);
      expect((await platform.reader.list(free, { limit: 20 })).jobs.map(({ position }) => position)).toEqual([
        4, 3,
      ]);
      expect(await platform.reader.get(free, jobs[0]!.id)).toMatchObject({ position: 3, etaSeconds: null });

      // A job of a batch counts in the order of the queue, but has no position itself.
      const batch = await new Batches(platform).create(premium, {
        ...{ tool: 'remove-image-background', input: {}, items: [{ id: '1', name: 'a.png', size: 1 }] },
      });
      await platform.sql('UPDATE jobs SET batch_id = $1 WHERE id = $2', [batch.id, jobs[0]!.id]);
      expect((await platform.places.ofUsers([free])).map(({ position }) => position)).toEqual([4]);
    });

    it('give the reason for the wait, and the gain from priority', async () => {
      const [ada, bob, premium] = [
        await platform.user(),
        await platform.user(),
        await platform.user('premium'),
      ];
      const [first, other, second] = [
        await platform.submit(ada),
        await platform.submit(bob),
        await platform.submit(ada),
      ];
      const [ahead, next] = [await platform.submit(premium), await platform.submit(premium)];
      expect([first, other, ahead, next].map(({ wentAheadOf }) => wentAheadOf)).toEqual([0, 0, 3, 3]);
      await platform.openSlots(1);

      /** Reads a job's position both ways: together with others and alone. */
      const waitingOf = async (id: string) => {
        const places = new QueuePositions(platform.dataSource);
        const all = await places.ofUsers([ada, bob, premium]);
        const { waiting } = all.find((place) => place.id === id)!;
        expect((await places.of(await platform.job(id)))?.waiting).toEqual(waiting);
        return waiting;
      };
      const none = { premium: 0, own: 0, others: 0 };
      expect(await waitingOf(ahead.id)).toEqual({ reason: 'busy', ahead: none });
      expect(await waitingOf(next.id)).toEqual({ reason: 'ahead', ahead: { ...none, own: 1 } });
      expect(await waitingOf(second.id)).toEqual({
        reason: 'ahead',
        ahead: { premium: 2, own: 1, others: 1 },
      });
      expect((await platform.reader.get(premium, ahead.id)).wentAheadOf).toBe(3);

      await platform.sql(`UPDATE jobs SET run_after = now() + interval '1 minute' WHERE id = $1`, [ahead.id]);
      expect((await waitingOf(ahead.id)).reason).toBe('retry');
      await platform.sql(`INSERT INTO paused_queues (queue) VALUES ('text')`);
      expect((await waitingOf(second.id)).reason).toBe('paused');
      await platform.sql(`DELETE FROM paused_queues`);
      await platform.sql(`DELETE FROM worker_slots`);
      expect((await waitingOf(second.id)).reason).toBe('no-worker');
    });

    it('are estimated in a long queue, alike for one or many jobs, and exact at its head', async () => {
      const [crowd, ada] = [await platform.user('premium'), await platform.user()];
      await platform.sql(
        `INSERT INTO jobs (id, user_id, tool, queue, title, input, priority, lane, virtual_start, enqueued_at)
         SELECT gen_random_uuid(), $1, 'generate-article', 'text', 'One', '{}', 'premium', 1, n, now()
         FROM generate_series(1, 1500) AS numbers (n)`,
        [crowd],
      );
      const jobs = [await platform.submit(ada), await platform.submit(ada)];
      const places = new QueuePositions(platform.dataSource);
      const first = (await places.ofUsers([ada])).find(({ id }) => id === jobs[0]!.id)!;
      const second = (await places.ofUsers([ada])).find(({ id }) => id === jobs[1]!.id)!;
      expect(second.position - first.position).toBe(1);
      expect(second.waiting.ahead).toMatchObject({ own: 1 });
      expect(first.waiting.ahead.premium).toBeGreaterThanOrEqual(1500);
      for (const [job, { position }] of [
        [jobs[0]!, first],
        [jobs[1]!, second],
      ] as const) {
        expect((await places.of(await platform.job(job.id)))?.position).toBe(position);
        expect(await platform.places.of(job)).toMatchObject({ position });
      }
      const head = await platform.submit(await platform.user('premium'));
      expect((await places.of(head))?.position).toBeLessThanOrEqual(3);
      await platform.sql(`DELETE FROM jobs WHERE user_id = $1`, [crowd]);
    });
  });
});
