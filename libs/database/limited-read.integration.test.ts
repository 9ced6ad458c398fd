import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { rows } from '../../test/support/sql.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.js';
import { until } from '../../test/support/until.js';
import { createDataSource } from './data-source.js';
import { limitedRead } from './limited-read.js';
import { execute, isStatementEnded } from './sql.js';

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url, poolSize: 2 }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const sleep = (milliseconds: number, signal = new AbortController().signal) =>
  limitedRead(dataSource, { milliseconds, signal }, (transaction) =>
    execute(transaction, 'SELECT pg_sleep(60)'),
  ).catch((error: unknown) => error);

it('ends a slow statement, and leaves the connection unchanged', async () => {
  expect(isStatementEnded(await sleep(20))).toBe(true);
  expect(await rows(dataSource, 'SHOW statement_timeout')).toEqual([{ statement_timeout: '30s' }]);
});

it('ends only the statement whose signal aborts', async () => {
  const controller = new AbortController();
  const ended = sleep(60_000, controller.signal);
  await until('the statement to run', async () => {
    const found = await rows(
      dataSource,
      `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(60)'`,
    );
    return found.length > 0;
  });
  controller.abort();
  expect(isStatementEnded(await ended)).toBe(true);
  expect(await Promise.all([1, 2, 3].map(() => execute(dataSource, 'SELECT 1')))).toEqual([1, 1, 1]);
});

it('reads nothing if the signal has already aborted', async () => {
  expect(await sleep(60_000, AbortSignal.abort())).toMatchObject({ name: 'AbortError' });
});
