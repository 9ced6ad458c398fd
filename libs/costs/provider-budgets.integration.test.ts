import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createEngine } from '#libs/ai/create-engine.js';
import type { AiProvider } from '#libs/ai/engine.js';
import type { Budgets } from '#libs/config/budgets.js';
import { readEngines } from '#libs/config/engines.js';
import type { ProviderPrices } from '#libs/config/provider-prices.js';
import { registry } from '#libs/observability/metrics.js';
import type { Disposition } from '#libs/queue/entry-processor.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { configOf } from '../../test/provider/config.js';
import { startFakeProvider, type FakeProvider } from '../../test/provider/server.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';
import { createRunner } from '../../test/support/job-runner.ts';
import { until } from '../../test/support/until.ts';
import { TestClock } from '../../test/support/test-clock.ts';
import { BudgetWatch } from './budget-watch.js';
import { LOST_AFTER_MINUTES } from './lost-calls.js';
import { ProviderBudgets } from './provider-budgets.js';
import { ProviderCalls, sourceOfJob } from './provider-calls.js';

const prices: ProviderPrices = {
  currency: 'USD',
  date: '2026-01-01',
  models: { 'fake-model': { input: 1, output: 1 }, 'gpt-image-1': { image: 0.04 } },
  fallbackModels: {},
};

/** The cost of an article of 100 words is about 500 of input and 160 of output. */
const ARTICLE = { tool: 'generate-article', input: { prompt: 'Rivers', length: 800 } } as const;

describe('A monthly budget', () => {
  let platform: JobPlatform;
  let fake: FakeProvider;
  let provider: AiProvider;
  let calls: ProviderCalls;
  beforeEach(async () => {
    [platform, fake] = await Promise.all([
      openJobPlatform({ unfinishedPerUser: 1_000 }),
      startFakeProvider({ defaults: { paceMs: 1 } }),
    ]);
    const engine = await createEngine(
      { main: configOf(fake), fallback: null, moderationModel: null, breaker: { failures: 100, seconds: 1 } },
      { breakerChanged: () => undefined, askedFallback: () => undefined, called: () => undefined },
    );
    provider = engine.provider!;
    calls = new ProviderCalls({ database: platform.dataSource, prices, onError: platform.onError });
  });
  afterEach(() => Promise.all([platform.close(), fake.close()]));

  const budgetsOf = (budgets: Budgets, providerTools: ToolName[] = []) =>
    new ProviderBudgets({ database: platform.dataSource, budgets, prices, providerTools });

  const never = new AbortController().signal;
  const requestOf = (
    userId: string,
    { id = randomUUID(), attempts = 1 }: { id?: string; attempts?: number } = {},
  ) => ({
    ...{ id: randomUUID(), ...ARTICLE, provider },
    job: { id, attempts, userId, priority: 'standard' as const, size: 800 },
  });

  const runnerOf = (budgets: ProviderBudgets, environment: Record<string, string> = {}) =>
    createRunner(platform, provider, {
      ...{ calls, budgets, leaseSeconds: 60 },
      toolEngines: readEngines(environment, true),
    });

  const outcomes = () =>
    platform.sql<{ engine: string | null; status: string; code: string | null; jobs: number }>(
      `SELECT result ->> 'engine' AS engine, status, error_code AS code, count(*)::integer AS jobs
       FROM jobs GROUP BY 1, 2, 3 ORDER BY 1, 2`,
    );
  const spent = async () => {
    await calls.flush();
    const [row] = await platform.sql<{ cost: number; highest: number }>(
      'SELECT sum(cost)::integer AS cost, max(cost)::integer AS highest FROM provider_calls',
    );
    return row!;
  };

  it('is exceeded by at most one of 200 jobs that are submitted at once', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => platform.user('premium')));
    const jobs = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        platform.submission.submit({
          userId: users[n % users.length]!,
          ...ARTICLE,
          input: { ...ARTICLE.input, prompt: `Rivers ${n}` },
        }),
      ),
    );
    const budget = 30_000;
    // Two workers of 20 slots.
    const runners = [runnerOf(budgetsOf({ all: budget })), runnerOf(budgetsOf({ all: budget }))];
    const waiting = [...jobs];
    await Promise.all(
      Array.from({ length: 40 }, async (_, slot) => {
        for (let job = waiting.shift(); job; job = waiting.shift()) {
          while (!(await runners[slot % 2]!.run(job.id)).done);
        }
      }),
    );
    const { cost, highest } = await spent();
    const billed = fake.bill.reduce((sum, { input, output }) => sum + input + output, 0);
    expect(Math.abs(cost / billed - 1)).toBeLessThan(0.01);
    expect(cost).toBeLessThan(budget + highest);
    expect(cost).toBeGreaterThan(budget - 8 * highest);
    const ended = await outcomes();
    expect(ended.map(({ engine, status }) => [engine, status])).toEqual([
      ['offline', 'succeeded'],
      ['openai', 'succeeded'],
    ]);
    expect(await platform.sql('SELECT FROM provider_reservations')).toEqual([]);
  });

  it('is exceeded by at most one of 20 long jobs after a history of short ones', async () => {
    const userId = await platform.user('premium');
    const history = runnerOf(budgetsOf({ all: 1_000_000 }));
    for (let n = 0; n < 5; n += 1) await history.run((await platform.submit(userId, ARTICLE)).id);
    const before = await spent();

    const budget = before.cost + 4 * before.highest;
    const runner = runnerOf(budgetsOf({ all: budget }));
    const long = { ...ARTICLE.input, length: 1600, sources: 'A river is long. '.repeat(580) } as const;
    const jobs = await Promise.all(
      Array.from({ length: 20 }, () => platform.submit(userId, { ...ARTICLE, input: long })),
    );
    await Promise.all(
      jobs.map(async ({ id }) => {
        while (!(await runner.run(id)).done);
      }),
    );
    const { cost, highest } = await spent();
    expect(highest).toBeGreaterThan(3 * before.highest);
    expect(cost).toBeGreaterThan(budget);
    expect(cost).toBeLessThan(budget + highest);
  });

  it('that others have reserved lets a job go back to its queue after some seconds, and continue later', async () => {
    const userId = await platform.user();
    const clock = new TestClock();
    const budgets = new ProviderBudgets({
      ...{ database: platform.dataSource, budgets: { all: 1_000 }, prices, providerTools: [] },
      clock,
    });
    const other = requestOf(userId);
    for (let n = 0; n < 2; n += 1)
      expect(await budgets.reserve(other, never)).toEqual({ isReserved: true, usedUp: null });
    const reservations = () => platform.sql(`SELECT id FROM provider_reservations`);
    expect(await reservations()).toEqual([{ id: other.id }]);

    const { id } = await platform.submit(userId, ARTICLE);
    const runner = runnerOf(budgets);
    const run = runner.run(id);
    let disposition: Disposition | undefined;
    void run.then((value) => (disposition = value));
    await until('the job is back', async () => {
      await clock.advance(1_000);
      return disposition !== undefined;
    });
    expect(disposition).toMatchObject({ done: false });
    expect(await platform.job(id)).toMatchObject({
      status: 'queued',
      failures: 0,
      stageMessage: expect.stringMatching(
        /^Running jobs have reserved the rest of the budget for the AI service\. Trying again in [567] s$/,
      ),
    });
    await platform.sql('DELETE FROM provider_reservations');
    await platform.sql('UPDATE jobs SET run_after = NULL');
    expect(await runner.run(id)).toEqual({ done: true });
    await calls.flush();
    expect([(await platform.job(id)).status, await reservations()]).toEqual(['succeeded', []]);
  });

  it('stays reserved until the calls of a worker that died are counted', async () => {
    await budgetsOf({ all: 60_000 }).reserve(requestOf(await platform.user()), never);
    const [row] = await platform.sql<{ minutes: number }>(
      `SELECT extract(epoch FROM expires_at - now())::integer / 60 AS minutes FROM provider_reservations`,
    );
    expect(row!.minutes).toBeGreaterThan(LOST_AFTER_MINUTES + 1);
  });

  it('is not locked by an earlier attempt of the job, whose calls are counted', async () => {
    const { id, userId, ...job } = await platform.submit(await platform.user(), ARTICLE);
    const budgets = budgetsOf({ all: 1_000 });
    await budgets.reserve(requestOf(userId, { id }), never);
    const call = { model: 'fake-model', provider: 'main', startedAt: new Date(), operation: 'chat' } as const;
    calls.of(sourceOfJob({ ...job, id, userId, attempts: 1 })).started({ ...call, id: randomUUID() });
    const other = calls.of(sourceOfJob({ ...job, id: randomUUID(), userId, attempts: 1 }));
    other.started({ ...call, id: randomUUID() });
    await calls.flush();
    await platform.sql(`UPDATE provider_calls SET status = 'ok', cost = 300 WHERE job_id <> $1`, [id]);
    expect(await budgets.reserve(requestOf(userId, { id, attempts: 2 }), never)).toEqual({
      isReserved: true,
      usedUp: null,
    });
    expect(await platform.sql('SELECT attempt FROM provider_reservations')).toEqual([{ attempt: 2 }]);
    expect(
      await platform.sql(
        `SELECT status, call.cost::integer, spending.cost::integer AS spent
         FROM provider_calls AS call, provider_spending AS spending WHERE job_id = $1`,
        [id],
      ),
    ).toEqual([{ status: 'lost', cost: 300, spent: 300 }]);
  });

  it('counts what was reserved for a lost call that is the first of its tool', async () => {
    const { id, userId, ...job } = await platform.submit(await platform.user(), ARTICLE);
    const budgets = budgetsOf({ all: 1_000 });
    await budgets.reserve(requestOf(userId, { id }), never);
    const [{ reserved } = { reserved: 0 }] = await platform.sql<{ reserved: number }>(
      'SELECT cost::integer AS reserved FROM provider_reservations',
    );
    const call = { model: 'fake-model', provider: 'main', startedAt: new Date(), operation: 'chat' } as const;
    calls.of(sourceOfJob({ ...job, id, userId, attempts: 1 })).started({ ...call, id: randomUUID() });
    await calls.flush();
    expect(await budgets.reserve(requestOf(userId, { id, attempts: 2 }), never)).toEqual({
      isReserved: false,
      usedUp: 'all',
    });
    expect(reserved).toBeGreaterThan(1_000);
    expect(await platform.sql('SELECT status, cost::integer FROM provider_calls')).toEqual([
      { status: 'lost', cost: reserved },
    ]);
  });

  it('is free again if the answer about the reservation was lost', async () => {
    const { id } = await platform.submit(await platform.user(), ARTICLE);
    const budgets = budgetsOf({ all: 60_000 });
    const reserve = budgets.reserve.bind(budgets);
    let reserved = 0;
    budgets.reserve = async (...given) => {
      await reserve(...given);
      reserved = (await platform.sql('SELECT FROM provider_reservations')).length;
      throw new Error('The answer was lost');
    };
    await runnerOf(budgets).run(id);
    await calls.flush();
    expect([reserved, await platform.sql('SELECT FROM provider_reservations')]).toEqual([1, []]);
  });

  it('is reserved while the user is deleted, without a deadlock', async () => {
    const userId = await platform.user();
    await platform.sql(
      `INSERT INTO provider_reservations (id, user_id, plan, cost, expires_at)
       VALUES (gen_random_uuid(), $1, 'free', 1, now() - interval '1 day')`,
      [userId],
    );
    const request = requestOf(userId);
    let reserving: Promise<unknown> = Promise.resolve();
    await platform.dataSource.transaction(async (deletion) => {
      await deletion.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [userId]);
      reserving = budgetsOf({ all: 60_000 }).reserve(request, never);
      await until('the reservation waits', async () => {
        const waiting = await platform.sql(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%reserve_provider_budget%'`,
        );
        return waiting.length > 0;
      });
      await deletion.query('DELETE FROM users WHERE id = $1', [userId]);
    });
    await reserving;
    expect(await platform.sql('SELECT FROM provider_reservations')).toEqual([]);
  });

  it('of a user or a plan leaves those of others', async () => {
    const [ada, ben, premium] = [
      await platform.user(),
      await platform.user(),
      await platform.user('premium'),
    ];
    const runner = runnerOf(budgetsOf({ user: 1, free: 4_000 }));
    const engineFor = async (userId: string) => {
      const { id } = await platform.submit(userId, ARTICLE);
      await runner.run(id);
      await calls.flush();
      return (await platform.job(id)).result!['engine'];
    };
    expect(await engineFor(ada)).toBe('openai');
    expect(await engineFor(ada)).toBe('offline');
    expect(await engineFor(ben)).toBe('openai');
    expect(await engineFor(premium)).toBe('openai');
    expect(await engineFor(premium)).toBe('offline');
    while ((await spent()).cost < 10_000) if ((await engineFor(await platform.user())) === 'offline') break;
    expect(await engineFor(await platform.user())).toBe('offline');
    expect(await engineFor(await platform.user('premium'))).toBe('openai');
  });

  it('that is used up refuses what only the service may do, with a refund', async () => {
    const user = await platform.user();
    const budgets = budgetsOf({ all: 0 }, ['generate-article']);
    await expect(budgets.requireRoom(user, 'generate-article')).rejects.toMatchObject({
      code: 'BUDGET_EXHAUSTED',
      message: expect.stringMatching(
        /^This month’s budget for the AI service is used up, .* renews on \w+ 1\.$/,
      ),
    });
    await budgets.requireRoom(user, 'rewrite-text');
    await budgetsOf({ all: 1 }, ['generate-article']).requireRoom(user, 'generate-article');

    const { id } = await platform.submit(user, ARTICLE);
    await runnerOf(budgets, { ENGINE_GENERATE_ARTICLE: 'provider' }).run(id);
    expect(await platform.job(id)).toMatchObject({
      status: 'failed',
      errorCode: 'BUDGET_EXHAUSTED',
      errorMessage: expect.stringContaining('Your credit was given back.'),
    });
    expect(await platform.remaining(user)).toBe(30);
    expect(fake.bill).toEqual([]);
  });

  it('is watched: a metric, and a line in the log at 80 % and at 100 %', async () => {
    const lines: string[] = [];
    const watch = new BudgetWatch({
      database: platform.dataSource,
      budgets: { all: 1_000, free: 10_000 },
      warn: (_, message) => lines.push(message),
    });
    const spend = (cost: number) =>
      platform.sql(
        `INSERT INTO provider_spending AS s VALUES (date_trunc('month', now() AT TIME ZONE 'UTC'), 'free', $1)
         ON CONFLICT (month, plan) DO UPDATE SET cost = s.cost + excluded.cost`,
        [cost],
      );
    await watch.pass();
    await spend(800);
    await watch.pass();
    await watch.pass();
    expect(await registry.metrics()).toContain('pressroom_budget_used_ratio{budget="all"} 0.8\n');
    await spend(200);
    await watch.pass();
    expect(lines).toEqual([
      'The monthly budget for AI services is nearly used up',
      'The monthly budget for AI services is used up',
    ]);
  });
});
