import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { monthOf, readCredits } from '#libs/billing/credits.js';
import { batchItemPlace } from '#libs/batches/batch-items.js';
import { Batches } from '#libs/batches/batches.js';
import { readPrices, type Prices } from '#libs/config/prices.js';
import { ProviderBudgets } from '#libs/costs/provider-budgets.js';
import { Flows } from '#libs/flows/flows.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';
import { createRunner } from '../../test/support/job-runner.ts';
import { until } from '../../test/support/until.ts';
import { JobSubmission } from './submission.js';
import { listReceipts } from './usage.js';

let platform: JobPlatform;
beforeAll(async () => {
  platform = await openJobPlatform();
});
afterAll(() => platform.close());

/** The api after a restart with other prices. */
const submissionAt = (prices: Prices) =>
  new JobSubmission({
    ...platform,
    positions: platform.places,
    reclaimStorage: () => Promise.resolve([]),
    limits: {
      storageQuota: platform.storageQuota,
      unfinishedPerUser: 200,
      waitingAtMost: { standard: { text: 9, image: 9, pdf: 9 }, premium: { text: 9, image: 9, pdf: 9 } },
    },
    prices,
  });
const article = (userId: string) =>
  ({ userId, tool: 'generate-article', input: { prompt: 'Rivers', length: 800 } }) as const;
const remaining = async (userId: string, prices: Prices) =>
  (await readCredits(platform.dataSource, userId, 'free', new Date(), prices.grants.free)).remaining;

it('charges new prices and grants, and leaves what was accepted before', async () => {
  const user = await platform.user();
  const before = readPrices('{"tools":{"generate-article":2},"grants":{"free":50}}');
  const after = readPrices('{"tools":{"generate-article":7},"grants":{"free":5}}');
  const first = await submissionAt(before).submit(article(user));
  expect(first.credits).toBe(2);
  expect(await remaining(user, after)).toBe(48);

  const second = await submissionAt(after).submit(article(user));
  expect(second.credits).toBe(7);
  expect(await remaining(user, after)).toBe(41);
  await platform.lifecycle.cancel(user, first.id);
  expect(await remaining(user, after)).toBe(43);

  const other = await platform.user();
  await expect(submissionAt(after).submit(article(other))).rejects.toMatchObject({
    code: 'INSUFFICIENT_CREDITS',
    message: expect.stringContaining('This costs 7 credits'),
  });
  expect(await remaining(other, after)).toBe(5);
});

it('says how many credits of a failed job were given back', async () => {
  const user = await platform.user();
  const messageAt = async (price: number) => {
    const prices = readPrices(`{"tools":{"generate-article":${price}}}`);
    const { id } = await submissionAt(prices).submit(article(user));
    // Each of its workers died.
    await platform.sql('UPDATE jobs SET lost_attempts = 100 WHERE id = $1', [id]);
    await createRunner(platform, null).run(id);
    return (await platform.job(id)).errorMessage;
  };
  expect(await messageAt(5)).toMatch(/ Your 5 credits were given back\.$/);
  expect(await messageAt(1)).toMatch(/ Your credit was given back\.$/);
  expect(await messageAt(0)).toMatch(/tried many times\.$/);
  expect(await platform.remaining(user)).toBe(30);
});

it('keeps the price of a flow for steps that start later', async () => {
  const user = await platform.user();
  const prices = readPrices('{"tools":{"generate-blog-title":2,"generate-article":3}}');
  const { flow } = await new Flows({ ...platform, prices }).create(user, {
    ...{ flow: 'article', input: { prompt: 'Rivers', length: 800 } },
    steps: ['generate-blog-title', 'generate-article'],
  });
  expect(flow.credits).toBe(5);
  expect(await platform.remaining(user)).toBe(25);

  const { jobId } = flow.steps[0]!;
  const claim = await platform.lifecycle.claim(jobId!, 10);
  expect(claim).toMatchObject({ kind: 'claimed', job: { credits: 2 } });
  await platform.lifecycle.succeed(
    { jobId: jobId!, attempt: 1 },
    { result: { content: '1. Ice', titles: ['Ice'], notice: null, engine: 'offline' }, creation: null },
  );
  const second = await until('the article starts', async () => {
    const { steps } = await platform.flows.get(user, flow.id);
    return steps[1]!.jobId ?? false;
  });
  expect(await platform.job(String(second))).toMatchObject({ credits: 3 });
  expect(await platform.remaining(user)).toBe(25);
});

it('shows on receipts of Premium the price at which a job, batch or flow was accepted', async () => {
  const user = await platform.user('premium');
  const prices = readPrices(
    '{"tools":{"generate-article":4,"generate-blog-title":2,"remove-image-background":3}}',
  );
  const { id } = await submissionAt(prices).submit(article(user));
  const { flow } = await new Flows({ ...platform, prices }).create(user, {
    ...{ flow: 'article', input: { prompt: 'Rivers', length: 800 } },
    steps: ['generate-blog-title', 'generate-article'],
  });
  const batch = await new Batches({ ...platform, prices }).create(user, {
    ...{ tool: 'remove-image-background', input: {}, items: [{ id: '1', name: 'a.png', size: 1 }] },
  });
  const picture = await platform.submission.submit({
    ...{ userId: user, tool: 'remove-image-background', input: {} },
    place: batchItemPlace({ batchId: batch.id, n: 1 }),
  });
  const quoted = async () => {
    const month = monthOf(new Date()).slice(0, 7);
    const { receipts } = await listReceipts(platform.dataSource, user, {
      ...{ month, limit: 10, prices: readPrices('{"tools":{"generate-article":9}}') },
    });
    return Object.fromEntries(receipts.map(({ jobId, quoted, charged }) => [jobId, [quoted, charged]]));
  };
  expect(await quoted()).toEqual({
    [id]: [4, 0],
    [flow.steps[0]!.jobId!]: [2, 0],
    [picture.id]: [3, 0],
  });
  // A job of an earlier version.
  await platform.sql('UPDATE jobs SET price = NULL WHERE id = $1', [id]);
  expect(await quoted()).toMatchObject({ [id]: [9, 0] });
});

it('refuses a batch or flow with a tool whose budget is used up, before it is charged', async () => {
  const [user, premium] = [await platform.user(), await platform.user('premium')];
  const budgets = new ProviderBudgets({
    ...{ database: platform.dataSource, budgets: { all: 0 }, prices: null },
    providerTools: ['generate-article', 'remove-image-background'],
  });
  const flow = new Flows({ ...platform, budgets }).create(user, {
    ...{ flow: 'article', input: { prompt: 'Rivers', length: 800 } },
    steps: ['generate-blog-title', 'generate-article'],
  });
  await expect(flow).rejects.toMatchObject({ code: 'BUDGET_EXHAUSTED' });
  expect(await platform.remaining(user)).toBe(30);
  const batch = new Batches({ ...platform, budgets }).create(premium, {
    ...{ tool: 'remove-image-background', input: {}, items: [{ id: '1', name: 'a.png', size: 1 }] },
  });
  await expect(batch).rejects.toMatchObject({ code: 'BUDGET_EXHAUSTED' });
});
