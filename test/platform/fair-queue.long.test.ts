import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { QueuePositions, type UserQueuePosition } from '#libs/scheduling/queue-positions.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { QueueOrder } from '#libs/scheduling/queue-order.js';
import { Reconciler } from '#libs/scheduling/reconciler.js';
import type { ChatRequest } from '#libs/ai/engine.js';
import type { Disposition } from '#libs/queue/entry-processor.js';
import { createJobQueue, type JobQueue } from '#libs/queue/job-queue.js';
import { query } from '../../scripts/stack/query.ts';
import { describeOnBothBackends } from '../support/backends.ts';
import { openJobPlatform, type JobPlatform } from '../support/job-platform.ts';
import { createRunner } from '../support/job-runner.ts';
import { startWorker } from '../support/queues.ts';
import { providerOf } from '../support/stub-provider.ts';
import { until } from '../support/until.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';

allowTimeForPrograms();

/** Milliseconds that the jobs of a tool take by what the table says of them. */
const TAKES = { 'generate-article': 600, 'generate-blog-title': 200 } as const;
/** They really take half of that. */
const REAL_SHARE = 0.5;
const input = {
  'generate-article': { prompt: 'Rivers', length: 800 },
  'generate-blog-title': { prompt: 'Rivers', category: 'General' },
} as const;
type Tool = keyof typeof TAKES;

/** Real queues and a real table; only the work itself is a pause. */
describeOnBothBackends('Fair queueing in a real queue', (backend) => {
  let platform: JobPlatform<JobQueue>;
  let closeWorker: () => Promise<void>;
  let started: string[];

  beforeEach(async () => {
    platform = await openJobPlatform({
      unfinishedPerUser: 2_000,
      openQueue: (databaseUrl) =>
        createJobQueue({ config: backend().config, databaseUrl, onError: () => undefined }),
    });
    started = [];
    closeWorker = async () => undefined;
  });
  afterEach(async () => {
    await closeWorker();
    await backend().redis?.flush();
    await platform.close();
  });

  /** A worker that does nothing for as long as each tool takes, and writes its slots as workers do. */
  async function work(slots: number, takes: Record<string, number>): Promise<void> {
    await serve(slots, ({ tool }) => pause(takes[tool]));
  }

  /** Does these things with each job that its worker claims, and ends it. */
  async function serve(
    slots: number,
    run: (job: JobEntity) => Promise<unknown>,
    onEnd: (job: JobEntity) => Promise<unknown> = async () => undefined,
  ): Promise<void> {
    await openSlots(slots, async (jobId) => {
      const claim = await platform.lifecycle.claim(jobId, 60);
      if (claim.kind === 'retry') return { done: false, delayMs: claim.delayMs };
      if (claim.kind === 'ended') return { done: true };
      started.push(jobId);
      await run(claim.job);
      const attempt = { jobId, attempt: claim.job.attempts };
      await platform.lifecycle.succeed(attempt, { result: { engine: 'offline' }, creation: null });
      await onEnd(claim.job);
      return { done: true };
    });
  }

  async function openSlots(slots: number, process: (jobId: string) => Promise<Disposition>): Promise<void> {
    await platform.sql(
      `INSERT INTO worker_slots (worker_id, queue, slots, seen_at) VALUES ('w', 'text', $1, now() + interval '1 hour')`,
      [slots],
    );
    const location = { config: backend().config, databaseUrl: platform.database.url };
    const worker = startWorker(location, { queue: 'text', concurrency: slots, leaseSeconds: 30, process });
    closeWorker = () => worker.close();
  }

  async function submit(user: string, jobs = 1, tool: Tool = 'generate-article'): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < jobs; i += 1)
      ids.push((await platform.submit(user, { tool, input: input[tool] })).id);
    return ids;
  }

  const user = async (plan: 'free' | 'premium' = 'free') => {
    const id = await platform.user(plan);
    await platform.sql(
      `INSERT INTO credit_balances (user_id, month, granted, balance)
       VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC'), 10000, 10000)`,
      [id],
    );
    return id;
  };
  const everything = (ids: string[]) =>
    until('all jobs to have started', () => ids.every((id) => started.includes(id)), { seconds: 200 });

  // Promise 5
  it('starts at most one job of a flood for each slot before the single job of another user', async () => {
    const SLOTS = 3;
    const [flooder, other, third] = [await user(), await user(), await user()];
    const flood = new Set(await submit(flooder, 500));
    await work(SLOTS, { 'generate-article': 250 });
    for (const one of [other, third]) {
      const before = started.length;
      await until('the flood to go on', () => started.length >= before + 10);
      const submitted = started.length;
      const [single] = await submit(one);
      // Jobs claimed during the submission were claimed before this one was waiting.
      const stored = started.length;
      await everything([single!]);
      const between = started.slice(submitted, started.indexOf(single!)).filter((id) => flood.has(id));
      expect(between.length).toBeLessThanOrEqual(SLOTS + (stored - submitted));
    }
  });

  // Promise 4
  it('starts a standard job in the time it may wait, though premium jobs never end', async () => {
    const WAIT_SECONDS = 12;
    const order = new QueueOrder(platform.dataSource, platform.queue, platform.live, WAIT_SECONDS);
    const premium = await Promise.all([1, 2, 3].map(() => user('premium')));
    const standard = await Promise.all([1, 2].map(() => user()));
    let isOver = false;
    const flood: string[] = [];
    const keepOn = async () => {
      const waiting = flood.filter((id) => !started.includes(id)).length;
      for (let i = waiting; i < 20; i += 1) flood.push(...(await submit(premium[i % premium.length]!)));
      return isOver;
    };
    const keepOrder = async () => {
      await order.pass();
      return isOver;
    };
    for (const one of premium) flood.push(...(await submit(one, 8)));
    await work(2, { 'generate-article': 50 });
    const load = Promise.all([
      until('the end', keepOn, { seconds: 240, every: 50 }),
      until('the end', keepOrder, { seconds: 240, every: 500 }),
    ]);
    const jobs = (await Promise.all(standard.map((one) => submit(one)))).flat();
    await everything(jobs).finally(() => (isOver = true));
    const left = flood.filter((id) => !started.includes(id)).length;
    await load;
    for (const id of jobs) {
      const { createdAt, startedAt } = await platform.job(id);
      const waited = (startedAt!.getTime() - createdAt.getTime()) / 1_000;
      expect(waited).toBeGreaterThan(WAIT_SECONDS / 4);
      expect(waited).toBeLessThan(WAIT_SECONDS);
    }
    expect(left).toBeGreaterThan(0);
  });

  it('has the same order after the queue was emptied, jobs were cancelled and workers were lost', async () => {
    const order = new QueueOrder(platform.dataSource, platform.queue, platform.live, 600);
    const [flooder, other, premium] = [await user(), await user(), await user('premium')];
    const flood = await submit(flooder, 8);
    const ofOther = await submit(other, 2);
    const [first] = await submit(premium);
    for (const id of flood.slice(1, 5)) await platform.lifecycle.cancel(flooder, id);
    await order.pass();
    // As a worker that was killed leaves it: at work, and its lease over.
    await platform.lifecycle.claim(ofOther[0]!, 60);
    await platform.sql(`UPDATE jobs SET lease_until = now() - interval '1 minute' WHERE id = $1`, [
      ofOther[0],
    ]);
    await emptyQueue();
    await platform.sql(`UPDATE jobs SET enqueued_at = now() - interval '1 minute'`);
    await new Reconciler(platform.dataSource, platform.queue).pass();
    await work(1, { 'generate-article': 1 });
    const left = [first!, flood[0]!, ofOther[0]!, flood[5]!, ofOther[1]!, flood[6]!, flood[7]!];
    await everything(left);
    expect(started).toEqual(left);
  });

  it('runs another user’s jobs at once beside a flood of jobs that never end, and loses none', async () => {
    const SLOTS = 4;
    const [flooder, other] = [await user(), await user()];
    const flood = await submit(flooder, 24);
    const order = new QueueOrder(platform.dataSource, platform.queue, platform.live, 600);
    const endFlood = Promise.withResolvers<void>();
    const isFlood = ({ messages }: ChatRequest) => messages.some(({ content }) => content.includes('Rivers'));
    const runner = createRunner(
      platform,
      providerOf(async function* (request, signal) {
        if (isFlood(request)) {
          await Promise.race([
            endFlood.promise,
            new Promise((_, reject) =>
              signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
            ),
          ]);
        }
        yield 'An article about it.';
      }),
      // No attempt is lost because the machine is busy.
      { leaseSeconds: 30 },
    );
    let taken = 0;
    await openSlots(SLOTS, (jobId) => {
      taken += 1;
      return runner.run(jobId);
    });
    const running = async () =>
      (await platform.sql<{ id: string }>(`SELECT id FROM jobs WHERE status = 'running'`)).map(
        ({ id }) => id,
      );
    await until('the flood to hold every slot', async () => (await running()).length === SLOTS);

    let isOver = false;
    const keepOrder = () => order.pass().then(() => isOver);
    const passes = until('the end', keepOrder, { seconds: 280, every: 250 });
    try {
      for (let i = 0; i < 4; i += 1) {
        const { id } = await platform.submit(other, { input: { prompt: 'Tea', length: 800 } });
        await until(
          'the other user’s job to end',
          async () => (await platform.job(id)).status === 'succeeded',
        );
      }
      // A job that yielded is looked at when it could start, not again and again.
      expect(taken).toBeLessThan(100);
      endFlood.resolve();
      await until('the flood to end', async () =>
        (await Promise.all(flood.map((id) => platform.job(id)))).every(
          ({ status }) => status === 'succeeded',
        ),
      );
    } finally {
      isOver = true;
      endFlood.resolve();
      await passes;
    }
    expect(platform.errors).toEqual([]);
  });

  async function emptyQueue(): Promise<void> {
    const { redis } = backend();
    if (redis) await redis.flush();
    else await query(platform.database.url, 'TRUNCATE bullmq.job CASCADE');
  }

  it('estimates position and waiting time within a factor of two', async () => {
    const SLOTS = 2;
    /** The progress of running jobs is known to within one job. */
    const SLACK_SECONDS = 0.6;
    const users = {
      premium: await Promise.all([1, 2].map(() => user('premium'))),
      standard: await Promise.all([1, 2, 3].map(() => user())),
    };
    let held: Promise<void> | undefined;
    /** Lets no job end until the function that it returns is called. */
    const hold = () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    };
    /** Has the table say that a job took its time until then. */
    const setTime = ({ id, tool }: JobEntity, then: 'now()' | 'finished_at') =>
      platform.sql(`UPDATE jobs SET started_at = ${then} - make_interval(secs => $2) WHERE id = $1`, [
        id,
        TAKES[tool as Tool] / 1_000,
      ]);
    // The averages are made of what the table says, whatever the machine has to do besides.
    const run = async (job: JobEntity) => {
      await held;
      await pause(TAKES[job.tool as Tool] * REAL_SHARE);
      await setTime(job, 'now()');
    };
    await serve(SLOTS, run, (job) => setTime(job, 'finished_at'));
    const early = [
      ...(await submit(users.premium[0]!, 6, 'generate-article')),
      ...(await submit(users.premium[0]!, 6, 'generate-blog-title')),
    ];
    await everything(early);

    let goOn = hold();
    const jobs = [
      await submit(users.standard[0]!, 12),
      await submit(users.standard[1]!, 6, 'generate-blog-title'),
      await submit(users.standard[2]!, 1),
      await submit(users.premium[0]!, 5),
      await submit(users.premium[1]!, 8, 'generate-blog-title'),
    ].flat();
    const estimates: UserQueuePosition[][] = [];
    const everybody = [...users.premium, ...users.standard];
    // Each time another process than the one before, with no average in its memory.
    const note = async () => estimates.push(await new QueuePositions(platform.dataSource).ofUsers(everybody));
    for (const share of [0, 0.3, 0.6]) {
      await until('its share to have started', () => started.length >= early.length + share * jobs.length);
      goOn();
      goOn = hold();
      await note();
      goOn();
    }
    const order = estimates[0]!.toSorted((a, b) => a.position - b.position);
    expect(order.map(({ position }) => position)).toEqual(order.map((_, i) => i + 1));
    await everything(jobs);
    // A user holds one of the two slots while others of the plan wait, so a short job may overtake long ones.
    const startsOf = (userIds: string[]) =>
      order.filter(({ userId }) => userIds.includes(userId)).map(({ id }) => started.indexOf(id));
    const lastPremium = Math.max(...startsOf(users.premium));
    // A job that gave way to another user's is claimed again after 250 ms. Until then a free slot takes what waits.
    const WHILE_ONE_WAITS = 3;
    expect(startsOf(users.standard).filter((start) => start < lastPremium).length).toBeLessThanOrEqual(
      SLOTS + WHILE_ONE_WAITS,
    );

    const startOf = await startTimes(SLOTS);
    let compared = 0;
    for (const waiting of estimates) {
      const waitingIds = new Set(waiting.map(({ id }) => id));
      const now = Math.max(...started.filter((id) => !waitingIds.has(id)).map((id) => startOf.get(id)!));
      for (const { id, etaSeconds } of waiting) {
        const waited = startOf.get(id)! - now;
        // Estimates are whole seconds: of less than two of them a factor says nothing.
        if (waited < 2) continue;
        compared += 1;
        expect(etaSeconds! + SLACK_SECONDS).toBeGreaterThanOrEqual(waited / 2);
        expect(etaSeconds! - SLACK_SECONDS).toBeLessThanOrEqual(waited * 2);
      }
    }
    expect(compared).toBeGreaterThan(10);
  });

  /** When each job starts, in seconds, if slots take them in the order in which they were started. */
  async function startTimes(slots: number): Promise<Map<string, number>> {
    const freeAt = Array<number>(slots).fill(0);
    const times = new Map<string, number>();
    for (const id of started) {
      const { tool } = await platform.job(id);
      const next = freeAt.indexOf(Math.min(...freeAt));
      times.set(id, freeAt[next]!);
      freeAt[next]! += TAKES[tool as Tool] / 1_000;
    }
    return times;
  }
});
