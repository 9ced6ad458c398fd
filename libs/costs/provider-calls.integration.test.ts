import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEngine } from '#libs/ai/create-engine.js';
import type { AiProvider } from '#libs/ai/engine.js';
import type { OpenAiConfig } from '#libs/config/environment.js';
import type { ProviderPrices } from '#libs/config/provider-prices.js';
import { deleteUser } from '#libs/accounts/delete-user.js';
import type { Plan } from '#libs/contract/account.js';
import { countUserRows } from '#libs/operators/user-data.js';
import { readJobStory } from '#libs/operators/jobs.js';
import { readProviderCosts } from '#libs/operators/provider-costs.js';
import { configOf } from '../../test/provider/config.js';
import { startFakeProvider, type FakeProvider } from '../../test/provider/server.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';
import { createRunner } from '../../test/support/job-runner.ts';
import { freePort } from '../../test/support/ports.ts';
import { until } from '../../test/support/until.ts';
import { endLostCalls } from './lost-calls.js';
import { ProviderCalls, sourceOfJob } from './provider-calls.js';

const prices: ProviderPrices = {
  currency: 'USD',
  date: '2026-01-01',
  models: {
    'fake-model': { input: 2, output: 8 },
    'gpt-image-1': { input: 5_000, output: 40_000 },
    'other-model': { input: 3, output: 9 },
  },
  fallbackModels: {},
};

/** What a provider charges, in millionths. */
const billOf = ({ bill }: FakeProvider) =>
  bill.reduce((sum, { model, input, output }) => {
    const price = prices.models[model]!;
    return sum + input * price.input! + output * price.output!;
  }, 0);

describe('Calls of a provider', () => {
  let platform: JobPlatform;
  let main: FakeProvider;
  let fallback: FakeProvider;
  let provider: AiProvider;
  let calls: ProviderCalls;
  beforeAll(async () => {
    [platform, main, fallback] = await Promise.all([
      openJobPlatform(),
      startFakeProvider(),
      startFakeProvider(),
    ]);
    const engine = await createEngine(
      {
        main: configOf(main),
        fallback: configOf(fallback, { textModel: 'other-model' }),
        moderationModel: null,
        breaker: { failures: 100, seconds: 1 },
      },
      { breakerChanged: () => undefined, askedFallback: () => undefined, called: () => undefined },
    );
    provider = engine.provider!;
    calls = new ProviderCalls({ database: platform.dataSource, prices, onError: platform.onError });
  });
  afterAll(() => Promise.all([platform?.close(), main?.close(), fallback?.close()]));

  const article = (prompt: string) => ({ tool: 'generate-article', input: { prompt, length: 800 } }) as const;
  const picture = (prompt: string) =>
    ({ tool: 'generate-image', input: { prompt, style: 'Realistic style', size: '1024x1024' } }) as const;

  /** Runs a job until it has ended. */
  async function runToEnd(runner: ReturnType<typeof createRunner>, jobId: string): Promise<void> {
    while (!(await runner.run(jobId)).done)
      await platform.sql('UPDATE jobs SET run_after = NULL WHERE id = $1', [jobId]);
  }

  const stored = (jobId: string) =>
    platform.sql<Record<string, unknown>>(
      'SELECT * FROM provider_calls WHERE job_id = $1 ORDER BY started_at',
      [jobId],
    );

  it('are stored with their job, tokens and cost', async () => {
    const userId = await platform.user();
    const { id } = await platform.submit(userId, article('Rivers'));
    await runToEnd(createRunner(platform, provider, { calls }), id);
    await calls.flush();
    expect(await stored(id)).toEqual([
      expect.objectContaining({
        ...{ job_id: id, attempt: 1, user_id: userId, plan: 'free', tool: 'generate-article' },
        ...{ model: 'fake-model', provider: 'main', kind: 'chat', status: 'ok' },
        ...{ is_estimated: false, currency: 'USD', error_code: null },
        input_tokens: main.bill[0]!.input,
        output_tokens: main.bill[0]!.output,
        cost: String(billOf(main)),
      }),
    ]);
  });

  it('have the status of a failure, or what else happened', async () => {
    const codesOf = async (prompt: string, changes: Partial<OpenAiConfig> = {}) => {
      const engine = await createEngine(
        {
          main: configOf(main, changes),
          fallback: null,
          moderationModel: null,
          breaker: { failures: 100, seconds: 1 },
        },
        { breakerChanged: () => undefined, askedFallback: () => undefined, called: () => undefined },
      );
      const { id } = await platform.submit(await platform.user('premium'), article(prompt));
      await runToEnd(createRunner(platform, engine.provider, { calls }), id);
      await calls.flush();
      return (await readJobStory(platform.dataSource, id, null)).calls.map(({ errorCode }) => errorCode);
    };
    expect(await codesOf('Rivers [[429:1]]')).toEqual(['429', null]);
    expect(await codesOf('Rivers [[500:1]]')).toEqual(['500', null]);
    expect(await codesOf('Rivers [[400]]')).toEqual(['400']);
    expect(await codesOf('Rivers [[content_filter]]')).toEqual(['content_filter']);
    const hanging = await codesOf('Rivers [[hang]]', { firstTokenSeconds: 0.2 });
    expect(new Set(hanging)).toEqual(new Set(['timeout']));
    const refused = await codesOf('Rivers', { baseUrl: `http://127.0.0.1:${await freePort()}/v1` });
    expect(new Set(refused)).toEqual(new Set(['ECONNREFUSED']));
  });

  it('cost what the provider bills, within a hundredth', async () => {
    const users = { free: await platform.user(), premium: await platform.user('premium') };
    const runner = createRunner(platform, provider, { calls });
    const submit = (job: Parameters<JobPlatform['submit']>[1], plan: Plan = 'premium') =>
      platform.submit(users[plan], job);

    for (let n = 0; n < 20; n += 1) await runToEnd(runner, (await submit(article(`Rivers ${n}`))).id);
    for (const marker of ['429:1', '500:1', 'cut:1', 'broken:1', '400', 'length', 'empty', 'reasoning'])
      await runToEnd(runner, (await submit(article(`Lakes [[${marker}]]`))).id);
    for (let n = 0; n < 4; n += 1) await runToEnd(runner, (await submit(picture(`A lamp ${n}`))).id);
    main.script({ status: 503 });
    await runToEnd(runner, (await submit(article('Seas'), 'free')).id);

    const cancelled = [1, 2, 3].map((n) => article(`Oceans ${n} [[stop]]`));
    for (const job of [...cancelled, picture('A pond [[stop]]')]) {
      const { id } = await submit(job);
      const run = runner.run(id);
      await until('a part has arrived', async () => {
        const { partial, previewIndex } = await platform.job(id);
        return partial !== '' || previewIndex !== null;
      });
      await platform.lifecycle.cancel(users.premium, id);
      await run;
    }
    // The job does not wait for the end of a call that it aborted.
    await until('every call has ended', async () => {
      await calls.flush();
      return (await platform.sql(`SELECT FROM provider_calls WHERE status = 'running'`)).length === 0;
    });

    const billed = billOf(main) + billOf(fallback);
    const [sum] = await platform.sql<{ cost: number; estimated: number }>(
      `SELECT sum(cost)::integer AS cost, (count(*) FILTER (WHERE is_estimated))::integer AS estimated FROM provider_calls`,
    );
    expect(sum!.estimated).toBeGreaterThan(5);
    expect(Math.abs(sum!.cost / billed - 1)).toBeLessThan(0.01);
    const [spending] = await platform.sql<{ cost: number }>(
      'SELECT sum(cost)::integer AS cost FROM provider_spending',
    );
    expect(spending!.cost).toBe(sum!.cost);
    expect(fallback.bill.length).toBeGreaterThan(0);
  });

  it('are kept while the database is unavailable', async () => {
    const { id } = await platform.submit(await platform.user(), article('Rivers'));
    const errors: Error[] = [];
    const others = new ProviderCalls({
      database: platform.dataSource,
      prices,
      onError: (error) => errors.push(error),
    });
    await platform.sql('ALTER TABLE provider_calls RENAME TO hidden_calls');
    await runToEnd(createRunner(platform, provider, { calls: others }), id);
    await until('the write fails', () => errors.length > 0);
    await platform.sql('ALTER TABLE hidden_calls RENAME TO provider_calls');
    await others.flush();
    expect(await stored(id)).toMatchObject([{ status: 'ok' }]);
  });

  it('are stored although one of them cannot be', async () => {
    const job = await platform.submit(await platform.user(), article('Rivers'));
    const errors: Error[] = [];
    const others = new ProviderCalls({
      database: platform.dataSource,
      prices,
      onError: (error) => errors.push(error),
    });
    const listener = others.of(sourceOfJob({ ...job, attempts: 1 }));
    for (const tokens of [10, 1e12, 20]) {
      const started = { operation: 'chat', model: 'fake-model', provider: 'main' } as const;
      const call = { ...started, id: randomUUID(), startedAt: new Date() };
      listener.started(call);
      const usage = { input: tokens, output: 1 };
      const response = { usage, inputCharacters: 40, outputCharacters: 4, images: 0 };
      listener.ended({ ...call, outcome: 'ok', seconds: 1, responses: [response] });
    }
    await others.flush();
    expect((await stored(job.id)).map(({ input_tokens: input }) => input)).toEqual([10, 20]);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The call \S+ of fake-model cannot be stored$/),
    ]);
  });

  it('are not forgotten if their worker dies', async () => {
    const job = await platform.submit(await platform.user(), article('Rivers'));
    const dying = new ProviderCalls({ database: platform.dataSource, prices, onError: platform.onError });
    const call = { id: job.id, operation: 'chat', model: 'fake-model', provider: 'main' } as const;
    dying
      .of(sourceOfJob({ ...job, attempts: 1 }))
      .started({ ...call, startedAt: new Date(Date.now() - 2 * 3_600_000) });
    await dying.flush();
    await endLostCalls(platform.dataSource);
    const [lost] = await stored(job.id);
    expect(lost).toMatchObject({ status: 'lost', is_estimated: true });
    expect(Number(lost!['cost'])).toBeGreaterThan(0);
  });

  it('have their true cost if they end after they counted as lost', async () => {
    const job = await platform.submit(await platform.user('premium'), article('Rivers'));
    const spent = async () => {
      const [row] = await platform.sql<{ cost: number }>(
        `SELECT sum(cost)::integer AS cost FROM provider_spending WHERE plan = 'premium'`,
      );
      return row!.cost;
    };
    const before = await spent();
    const late = new ProviderCalls({ database: platform.dataSource, prices, onError: platform.onError });
    const started = {
      operation: 'chat',
      model: 'fake-model',
      provider: 'main',
      startedAt: new Date(),
    } as const;
    const call = { ...started, id: randomUUID() };
    const listener = late.of(sourceOfJob({ ...job, attempts: 1 }));
    listener.started(call);
    await late.flush();
    await platform.sql('SELECT end_lost_calls(ARRAY[$1::uuid])', [call.id]);
    expect(await spent()).toBeGreaterThan(before);
    const usage = { input: 100, output: 10 };
    const response = { usage, inputCharacters: 400, outputCharacters: 40, images: 0 };
    for (let n = 0; n < 2; n += 1) {
      listener.ended({ ...call, outcome: 'ok', seconds: 1, responses: [response] });
      await late.flush();
    }
    expect(await stored(job.id)).toMatchObject([{ status: 'ok', is_estimated: false, cost: '280' }]);
    expect(await spent()).toBe(before + 280);
  });

  it('are listed by tool, user and day', async () => {
    const today = { from: new Date(Date.now() - 24 * 3_600_000), to: new Date(Date.now() + 3_600_000) };
    const byTool = await readProviderCosts(platform.dataSource, { ...today, by: 'tool' });
    expect(byTool.map(({ group }) => group).sort()).toEqual(['generate-article', 'generate-image']);
    expect(byTool[0]).toMatchObject({ currency: 'USD', unpriced: 0 });
    for (const by of ['user', 'day', 'model', 'key'] as const) {
      const costs = await readProviderCosts(platform.dataSource, { ...today, by });
      const sum = (all: typeof costs) => all.reduce((total, { cost }) => total + cost!, 0);
      expect(sum(costs)).toBeCloseTo(sum(byTool), 6);
    }
  });

  it('are summed up beyond the first thousand groups', async () => {
    const first = new Date('2026-01-02T00:00:00Z');
    const range = { from: first, to: new Date('2026-01-03T00:00:00Z') };
    await platform.sql(
      `INSERT INTO provider_calls (id, job_id, attempt, plan, tool, model, provider, kind, status, started_at, cost, currency)
       SELECT gen_random_uuid(), gen_random_uuid(), 1, 'free', 'generate-article', 'model ' || n, 'main', 'text', 'ok', $1,
         n * 1e6, 'USD' FROM generate_series(1, 1003) AS n`,
      [first],
    );
    const costs = await readProviderCosts(platform.dataSource, { ...range, by: 'model' });
    expect(costs).toHaveLength(1_001);
    expect(costs[0]).toMatchObject({ group: 'model 1003', label: null, cost: 1_003 });
    expect(costs.at(-1)).toMatchObject({ group: null, label: 'all others', calls: 3, cost: 6 });
    const byDay = await readProviderCosts(platform.dataSource, { ...range, by: 'day' });
    expect(byDay).toMatchObject([{ group: '2026-01-02', calls: 1_003, cost: (1_003 * 1_004) / 2 }]);
  });

  it('belong to a user until the user is deleted', async () => {
    const userId = await platform.user();
    const { id } = await platform.submit(userId, article('Rivers'));
    await runToEnd(createRunner(platform, provider, { calls }), id);
    await calls.flush();
    expect(await countUserRows(platform.dataSource, userId)).toMatchObject({ provider_calls: 1 });
    await deleteUser(platform.dataSource, platform.files, userId);
    expect(await stored(id)).toMatchObject([{ user_id: null, status: 'ok' }]);
    expect(await countUserRows(platform.dataSource, userId)).toEqual({});
  });
});
