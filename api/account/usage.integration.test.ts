import { afterEach, expect, it } from '@jest/globals';
import type { Receipt, Usage } from '#libs/contract/usage.js';
import { json, type SignedInUser, useInProcessProduct } from '../../test/support/in-process-product.ts';
import { gate } from '../../test/support/probe-tools.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const product = useInProcessProduct({ RATE_LIMIT_REQUESTS: '10000', RATE_LIMIT_SUBMISSIONS: '1000' });
afterEach(() => gate.open());

const month = new Date().toISOString().slice(0, 7);
const read = async <T>(user: SignedInUser, path: string) => (await (await user.call(path)).json()) as T;
const usageOf = async (user: SignedInUser) =>
  (await read<{ usage: Usage }>(user, `/api/user/usage?month=${month}`)).usage;
const receiptsOf = async (user: SignedInUser) => {
  const all: Receipt[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const more: string = cursor && `&cursor=${cursor}`;
    const page = await read<{ receipts: Receipt[]; nextCursor: string | null }>(
      user,
      `/api/user/receipts?month=${month}&limit=2${more}`,
    );
    all.push(...page.receipts);
    cursor = page.nextCursor;
  }
  return all;
};

it('adds up to the ledger, receipt by receipt, with what was given back and why', async () => {
  const [ada, ben] = [await product.signUp('Ada'), await product.signUp('Ben')];
  const titles = (prompt: string) =>
    ada.call('/api/ai/generate-blog-title', { json: { prompt, category: 'Food' } });
  for (const prompt of ['Harbours', 'Rivers', 'Lakes']) await titles(prompt);
  const { job } = await json(
    await ada.call('/api/ai/generate-blog-title', {
      json: { prompt: 'Seas', category: 'Food' },
      headers: { Prefer: 'respond-async' },
    }),
  );
  await product.sql(
    `UPDATE jobs SET status = 'queued', result = NULL, finished_at = NULL, run_after = now() + interval '1 hour' WHERE id = $1`,
    [job.id],
  );
  await ada.call(`/api/jobs/${job.id}`, { method: 'DELETE' });

  const usage = await usageOf(ada);
  const receipts = await receiptsOf(ada);
  expect(receipts).toHaveLength(4);
  const spent = receipts.reduce((sum, { charged, refunded }) => sum + charged - refunded, 0);
  expect(usage.credits).toEqual({ granted: 30, charged: 4, refunded: 1, adjusted: 0, left: 30 - spent });
  const [ledger] = await product.sql(
    `SELECT balance AS count FROM credit_balances WHERE user_id = $1 AND month = $2`,
    [ada.id, `${month}-01`],
  );
  expect(usage.credits.left).toBe(ledger!.count);
  expect(receipts[0]).toMatchObject({
    ...{ tool: 'generate-blog-title', status: 'cancelled', quoted: 1, charged: 1, refunded: 1 },
    reason: 'It was cancelled.',
  });
  expect(usage.days).toMatchObject([{ tool: 'generate-blog-title', jobs: 4, succeeded: 3, credits: 3 }]);
  expect(usage.storage).toContainEqual(expect.objectContaining({ kind: 'text', files: 3 }));
  expect(await receiptsOf(ben)).toEqual([]);
  expect((await usageOf(ben)).credits.left).toBe(0);
});

it('refuses a wrong month, and everybody without a token', async () => {
  const ada = await product.signUp('Ada');
  expect((await ada.call('/api/user/usage?month=2026-13')).status).toBe(400);
  expect((await fetch(`${product.origin}/api/user/receipts?month=${month}`)).status).toBe(401);
});
