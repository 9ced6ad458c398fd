import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { testDatabase, type TestDatabase } from '../../test/support/database.ts';
import { Readiness } from './readiness.js';

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await testDatabase();
  // One connection, whose settings a test changes.
  const one = { type: 'postgres', url: database.url, extra: { max: 1 } } as const;
  dataSource = await new DataSource(one).initialize();
});
afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
});

const ping = jest.fn(async () => undefined);
const readiness = () =>
  new Readiness(
    dataSource,
    { ping } as never,
    { ping } as never,
    { queue: { kind: 'postgres' }, storage: { kind: 'files' } } as never,
  );

it('is not given while the database takes no writes', async () => {
  expect(await readiness().check()).toEqual({ database: true, queue: true, storage: true });
  await dataSource.query('SET default_transaction_read_only = on');
  expect(await readiness().check()).toMatchObject({ database: false, queue: true });
  await dataSource.query('SET default_transaction_read_only = off');
  expect(await readiness().check()).toMatchObject({ database: true });
});

it('is checked once for many probes at once', async () => {
  ping.mockClear();
  const one = readiness();
  await Promise.all(Array.from({ length: 100 }, () => one.check()));
  expect(ping).toHaveBeenCalledTimes(2);
});
