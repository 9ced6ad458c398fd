import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/database/data-source.js';
import { ProviderCallEntity } from '#libs/database/entities/provider-calls.js';
import type { ProviderCost } from '#libs/contract/admin.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.ts';
import { runCommand } from '../../test/support/run-cli.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url }).initialize();
  await dataSource.query(`INSERT INTO users (id, name, email) VALUES ('ada', 'Ada', 'ada@example.com')`);
  const call = (startedAt: string, tool: string, cost: number | null) => ({
    ...({ id: randomUUID(), jobId: randomUUID(), attempt: 1, userId: 'ada', plan: 'free', tool } as const),
    ...({
      model: 'fake-model',
      provider: 'main',
      kind: 'chat',
      status: 'ok',
      cost,
      currency: 'USD',
    } as const),
    ...{ startedAt: new Date(startedAt), inputTokens: 100, outputTokens: 50 },
  });
  await dataSource
    .getRepository(ProviderCallEntity)
    .insert([
      call('2026-03-01T00:00:00Z', 'generate-article', 1_500_000),
      call('2026-03-01T23:59:59Z', 'generate-article', 500_000),
      call('2026-03-02T00:00:00Z', 'rewrite-text', 250_000),
      call('2026-04-01T00:00:00Z', 'rewrite-text', null),
    ]);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const run = (...words: string[]) => runCommand(['costs', ...words], { DATABASE_URL: database.url });

it('adds the calls of a day up', async () => {
  const { out } = await run('--day', '2026-03-01');
  expect(out).toMatch(/^generate-article +2 +0 +200 +0 +100 +0 +2\.0000 USD +-$/m);
  expect(out).not.toContain('rewrite-text');
});

it('adds the calls of several days up, by group', async () => {
  const read = async (by: string) =>
    JSON.parse(
      (await run('--between', '2026-03-01', '2026-04-01T01:00', '--by', by, '--json')).out,
    ) as ProviderCost[];
  expect(await read('user')).toEqual([
    expect.objectContaining({ label: 'ada@example.com', cost: 2.25, unpriced: 1 }),
  ]);
  expect((await read('day')).map(({ group, cost }) => [group, cost])).toEqual([
    ['2026-03-01', 2],
    ['2026-03-02', 0.25],
    ['2026-04-01', null],
  ]);
  expect((await read('model')).map(({ calls }) => calls)).toEqual([4]);
});

it.each([
  [['2026-11-31', '2026-12-05'], /^Give two times that exist/],
  [['2026-02-30T10:00', '2026-03-05'], /^Give two times that exist/],
  [['2026-03-01,2026-03-02'], /^Give two times that exist/],
  [['2026-03-01T25:00', '2026-03-05'], /^Give two times that exist/],
  [['0000-01-01', '2026-03-05'], /^Give two times that exist/],
  [['2026-03-01', '9999-12-31T23:00-12:00'], /^Give two times that exist/],
  [['2026-03-05', '2026-03-01'], /^Give the earlier time first/],
])('refuses the times %j', async (times, message) => {
  for (const command of ['costs', 'audit', 'jobs list']) {
    const words = [...command.split(' '), '--between', ...times];
    const { status, errors } = await runCommand(words, { DATABASE_URL: database.url });
    expect([status, errors]).toEqual([1, expect.stringMatching(message)]);
  }
});

it.each(['2026-03-01', '2026-03-01 00:00', '2026-03-01T00:00:00.000Z', '2026-03-01T01:00+0100'])(
  'takes the time %s',
  async (from) => {
    const { out } = await run('--between', from, '2026-03-01T12:00', '--json');
    expect(JSON.parse(out)).toMatchObject([{ calls: 1 }]);
  },
);

it('refuses what is no day', async () => {
  expect((await run('--day', 'yesterday')).status).toBe(2);
  expect((await run('--day', '2026-03-01', '--between', '2026-03-01', '2026-03-02')).status).toBe(2);
});

it('shows the budgets of this month, also one of 0', async () => {
  await dataSource.query(
    `INSERT INTO provider_spending (month, plan, cost)
     VALUES (date_trunc('month', now() AT TIME ZONE 'UTC'), 'free', 2500000), ('2026-03-01', 'free', 9000000)`,
  );
  const show = (...words: string[]) =>
    runCommand(['costs', '--budgets', ...words], {
      DATABASE_URL: database.url,
      PRICES_PROVIDER: JSON.stringify({ currency: 'USD', date: '2026-01-01', models: {} }),
      BUDGET_MONTHLY: '10',
      BUDGET_MONTHLY_FREE: '0',
      BUDGET_MONTHLY_PREMIUM: '0',
    });
  const { out } = await show();
  expect(out).toMatch(/^all +- +2\.50 +0\.00 +10\.00 USD +25 %$/m);
  expect(out).toMatch(/^free +- +2\.50 +0\.00 +0\.00 USD +100 %$/m);
  expect(out).toMatch(/^premium +- +0\.00 +0\.00 +0\.00 USD +100 %$/m);
  for (const words of [
    ['--day', '2026-03-01'],
    ['--between', '2026-03-01,2026-03-02'],
    ['--by', 'user'],
  ]) {
    const { status, errors } = await show(...words);
    expect([status, errors]).toEqual([2, expect.stringContaining('cannot be used with option')]);
  }
  expect(await run('--budgets')).toMatchObject({ status: 0, out: 'No budget is set.\n' });
});
