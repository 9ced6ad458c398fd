import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createModeration } from '#libs/ai/moderation.js';
import type { Budgets } from '#libs/config/budgets.js';
import type { ModelPrice } from '#libs/config/provider-prices.js';
import { ProviderBudgets } from '#libs/costs/provider-budgets.js';
import { ProviderCalls, sourceOfJob } from '#libs/costs/provider-calls.js';
import { readProviderCosts } from '#libs/operators/provider-costs.js';
import { configOf } from '../../test/provider/config.js';
import { startFakeProvider, type FakeProvider } from '../../test/provider/server.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';
import { PublicationCheck } from './publication-check.js';

let platform: JobPlatform;
let fake: FakeProvider;
let userId: string;
beforeAll(async () => {
  [platform, fake] = await Promise.all([openJobPlatform(), startFakeProvider()]);
  userId = await platform.user('premium');
});
afterAll(() => Promise.all([platform.close(), fake.close()]));
beforeEach(async () => {
  fake.requests.length = 0;
  await platform.sql('TRUNCATE provider_calls, provider_spending');
});

async function openCheck(price: ModelPrice, budgets: Budgets = {}) {
  const config = { main: configOf(fake), fallback: null, breaker: { failures: 100, seconds: 1 } };
  const moderation = await createModeration(
    { ...config, moderationModel: 'omni' },
    { breakerChanged: () => undefined, called: () => undefined },
  );
  const database = platform.dataSource;
  const prices = { currency: 'USD', date: '2026-01-01', models: { omni: price }, fallbackModels: {} };
  const calls = new ProviderCalls({ database, prices, onError: platform.onError });
  const errors: string[] = [];
  const check = new PublicationCheck({
    ...{ mode: 'open', moderation, calls },
    budgets: new ProviderBudgets({ database, prices, budgets, providerTools: [] }),
    files: {
      findResult: (key) => Promise.resolve({ key, bytes: 9, type: 'image/png', name: 'a fox' } as never),
      read: () => Promise.resolve(Buffer.from('a picture')),
    },
    onError: ({ message }) => errors.push(message),
  });
  const atButton = { jobId: null, attempt: null, userId, apiKeyId: null, plan: 'premium' as const };
  const decide = async (text: string, source: Parameters<typeof check.check>[1] = atButton) => {
    const { state } = await check.check({ text, content: `/files/${'a'.repeat(43)}` }, source);
    await calls.flush();
    return state;
  };
  return { decide, errors };
}

const spent = async () => {
  const [row] = await platform.sql<{ cost: number }>(
    'SELECT coalesce(sum(cost), 0)::integer AS cost FROM provider_spending',
  );
  return row!.cost;
};

it('stores every call with its outcome, its cost, and its job or user', async () => {
  const { decide } = await openCheck({ image: 0.002 });
  const job = await platform.submit(userId);
  expect([
    await decide('a fox'),
    await decide('a hare [[flag]]'),
    await decide('a cat [[500]]'),
    await decide('a dog', sourceOfJob({ ...job, attempts: 1 })),
  ]).toEqual(['approved', 'refused', 'waiting', 'approved']);
  const call = { tool: 'publishing', kind: 'moderate', model: 'omni', user_id: userId, plan: 'premium' };
  expect(await platform.sql('SELECT * FROM provider_calls ORDER BY started_at')).toMatchObject([
    { ...call, job_id: null, attempt: null, status: 'ok', images: 1, output_tokens: 0, cost: '2000' },
    { ...call, status: 'ok', cost: '2000' },
    { ...call, status: 'passing_error', error_code: '500', images: 0, cost: '0' },
    { ...call, job_id: job.id, attempt: 1, status: 'ok', cost: '2000' },
  ]);
  const day = 24 * 3_600_000;
  const range = { from: new Date(Date.now() - day), to: new Date(Date.now() + day) };
  expect(await readProviderCosts(platform.dataSource, { ...range, by: 'tool' })).toMatchObject([
    { group: 'publishing', calls: 4, failed: 1, images: 3, cost: 0.006, unpriced: 0 },
  ]);
  expect(await spent()).toBe(6_000);
});

it('lets a picture wait while a budget is used up, unless the model is free', async () => {
  const { decide, errors } = await openCheck({ image: 0.002 }, { user: 3_000 });
  expect([await decide('a fox'), await decide('a fox'), await decide('a fox')]).toEqual([
    'approved',
    'approved',
    'waiting',
  ]);
  expect([fake.requests.length, await spent()]).toEqual([2, 4_000]);
  expect(errors).toEqual([expect.stringContaining('budget for the AI service is used up')]);
  const free = await openCheck({ image: 0 }, { user: 3_000 });
  expect(await free.decide('a fox')).toBe('approved');
});
