import { afterEach, expect, it } from '@jest/globals';
import type { Account } from '#libs/contract/account.js';
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
  await product.sql(`INSERT INTO paused_queues (queue) VALUES ('text')`);
  const { job } = await json(
    await ada.call('/api/ai/generate-blog-title', {
      json: { prompt: 'Seas', category: 'Food' },
      headers: { Prefer: 'respond-async' },
    }),
  );
  await ada.call(`/api/jobs/${job.id}`, { method: 'DELETE' });
  await product.sql(`DELETE FROM paused_queues`);

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
  expect(usage.keys).toEqual([{ key: null, jobs: 4, credits: 3 }]);
  const { storage } = await read<Account>(ada, '/api/user/account');
  expect(usage.storage.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(storage.used);
  expect(await receiptsOf(ben)).toEqual([]);
  expect((await usageOf(ben)).credits.left).toBe(0);
});

it('has the jobs of Premium at their price, what operators changed, and charges of deleted jobs', async () => {
  const ada = await product.signUp('Ada');
  const title = (prompt: string) =>
    ada.call('/api/ai/generate-blog-title', { json: { prompt, category: 'Food' } });
  await title('Harbours');
  await product.sql(`DELETE FROM jobs WHERE user_id = $1`, [ada.id]);
  await product.sql(
    `WITH given AS (UPDATE credit_balances SET granted = granted + 5, balance = balance + 5 WHERE user_id = $1 RETURNING month)
     INSERT INTO credit_entries (user_id, month, kind, amount, note) SELECT $1, month, 'grant', 5, 'For the outage' FROM given`,
    [ada.id],
  );
  await product.sql(`UPDATE users SET plan = 'premium' WHERE id = $1`, [ada.id]);
  await product.sql(`INSERT INTO plan_changes (user_id, plan, source) VALUES ($1, 'premium', 'operator')`, [
    ada.id,
  ]);
  await title('Rivers');
  expect(await receiptsOf(ada)).toMatchObject([
    { tool: 'generate-blog-title', status: 'succeeded', quoted: 1, charged: 0, included: true },
    { tool: null, status: null, quoted: 1, charged: 1, included: false },
  ]);
  const usage = await usageOf(ada);
  expect(usage.days).toMatchObject([
    { tool: 'generate-blog-title', jobs: 1, credits: 0 },
    { tool: null, jobs: 1, succeeded: 1, credits: 1 },
  ]);
  expect(usage.entries).toMatchObject([
    { kind: 'grant', amount: 30, note: 'monthly' },
    { kind: 'grant', amount: 5, note: 'For the outage' },
  ]);
  expect(usage.planChanges).toMatchObject([{ plan: 'premium', source: 'operator' }]);
});

it('tells steps of a flow that did not start, and why their credits were given back', async () => {
  const ada = await product.signUp('Ada');
  const [step, left] = [crypto.randomUUID(), crypto.randomUUID()];
  const flow = crypto.randomUUID();
  await product.sql(
    `INSERT INTO flows (id, user_id, flow, title, input, request_hash) VALUES ($1, $2, 'article', 'Harbours', '{}', '')`,
    [flow, ada.id],
  );
  await product.sql(
    `INSERT INTO flow_steps (flow_id, n, tool, job_id, credits, left_out)
     VALUES ($1, 1, 'generate-article', $2, 1, false), ($1, 2, 'generate-image', $3, 1, true)`,
    [flow, step, left],
  );
  await product.sql(`SELECT charge_credits($1, $2, 1, $3, 30)`, [ada.id, `${month}-01`, [step, left]]);
  await product.sql(
    `INSERT INTO credit_entries (user_id, month, kind, amount, job_id, note)
     VALUES ($1, $2, 'refund', 1, $3, 'The flow was cancelled.')`,
    [ada.id, `${month}-01`, left],
  );
  const receipts = await receiptsOf(ada);
  expect(receipts).toHaveLength(2);
  expect(receipts).toContainEqual(
    expect.objectContaining({
      tool: 'generate-article',
      title: 'Harbours',
      status: 'not-started',
      reason: null,
    }),
  );
  expect(receipts).toContainEqual(
    expect.objectContaining({
      ...{ tool: 'generate-image', status: 'left-out', refunded: 1, reason: 'The flow was cancelled.' },
    }),
  );
  expect((await usageOf(ada)).days).toMatchObject([
    { tool: 'generate-article', jobs: 1, succeeded: 0, credits: 1 },
  ]);
});

it('refuses a wrong month, and everybody without a token', async () => {
  const ada = await product.signUp('Ada');
  expect((await ada.call('/api/user/usage?month=2026-13')).status).toBe(400);
  expect((await fetch(`${product.origin}/api/user/receipts?month=${month}`)).status).toBe(401);
});

it('downloads all data by a link, but not while the account is suspended', async () => {
  const ada = await product.signUp('Ada');
  const answer = await ada.call('/api/user/export', { method: 'POST' });
  const { url } = (await answer.json()) as { url: string };
  const look = async () => (await fetch(url, { method: 'HEAD' })).status;
  expect(await look()).toBe(200);
  await product.sql(`UPDATE users SET suspended_at = now(), suspended_reason = 'Spam' WHERE id = $1`, [
    ada.id,
  ]);
  const refused = await fetch(url);
  expect([refused.status, (await json(refused)).code]).toEqual([403, 'ACCOUNT_SUSPENDED']);
  expect(await look()).toBe(403);
});

it('downloads all data of few users at once, and says whose downloads are in the way', async () => {
  const users = await Promise.all(['Ada', 'Ben', 'Cem'].map((name) => product.signUp(name)));
  const urls = await Promise.all(
    users.map(async (user) => (await json(await user.call('/api/user/export', { method: 'POST' }))).url),
  );
  const [ada, ben, cem] = urls as [string, string, string];
  const refusal = async (url: string) => {
    const answer = await fetch(url);
    const { code, message } = await json(answer);
    return [answer.status, code, message, answer.headers.get('retry-after')];
  };
  await product.dataSource.transaction(async (transaction) => {
    // Downloads wait for it after their first bytes.
    await transaction.query('LOCK TABLE saved_searches IN ACCESS EXCLUSIVE MODE');
    const answers = [await fetch(ada), await fetch(ben)];
    const rest = 'downloads of all data are running. Try again in a minute.';
    expect(await refusal(cem)).toEqual([503, 'UNAVAILABLE', `Too many ${rest}`, '60']);
    const own = 'Another download of all data is running. Try again in a minute.';
    expect(await refusal(ada)).toEqual([429, 'RATE_LIMITED', own, '60']);
    for (const { body } of answers) await body?.cancel();
  });
});
