import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { testDatabase, type TestDatabase } from '../../test/support/database.ts';
import { TestClock } from '../../test/support/test-clock.ts';
import { until } from '../../test/support/until.ts';
import { DatabaseWrites } from './database-writes.js';
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
const clock = new TestClock();
const readiness = () =>
  new Readiness(
    new DatabaseWrites(dataSource, 'api', clock),
    { ping } as never,
    { ping } as never,
    { queue: { kind: 'postgres' }, storage: { kind: 'files' } } as never,
  );
/** What a new process finds wrong with the database. */
const problem = async () => {
  const checked = await until('the database to answer', async () => {
    const one = readiness();
    const checks = await one.check();
    const found = one.problemOf('database');
    expect(checks).toEqual({ database: found === null, queue: true, storage: true });
    return !found?.startsWith('no answer') && one;
  });
  return checked.problemOf('database');
};

it('is not given while the database takes no writes, and says why', async () => {
  expect(await problem()).toBeNull();
  await dataSource.query('SET default_transaction_read_only = on');
  expect(await problem()).toBe('database (DATABASE_URL) takes no writes: its transactions are read-only');
  await dataSource.query('SET default_transaction_read_only = off');
  expect(await problem()).toBeNull();
});

it('is not given while the disk of the database is full', async () => {
  // A temporary file without space for it. An update of a small row needs none.
  await dataSource.query(`SET temp_file_limit = '64kB'`);
  expect(await problem()).toBe('database (DATABASE_URL) takes no writes: a write failed with the code 53400');
  await dataSource.query('RESET temp_file_limit');
  await dataSource.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON heartbeats EXECUTE FUNCTION refuse()`);
  expect(await problem()).toBe('database (DATABASE_URL) takes no writes: its disk is full');
  await dataSource.query('DROP TRIGGER full_disk ON heartbeats; DROP FUNCTION refuse');
  expect(await problem()).toBeNull();
});

it('writes every few seconds at most, and does not wait for the write of another program', async () => {
  const writes = new DatabaseWrites(dataSource, 'worker', clock);
  const beat = async () =>
    (
      await dataSource.query<{ at: string }[]>(
        `SELECT beat_at::text AS at FROM heartbeats WHERE name = 'worker'`,
      )
    )[0]!.at;
  await writes.check();
  const first = await beat();
  await clock.advance(3_000);
  await writes.check();
  expect(await beat()).toBe(first);
  await clock.advance(2_000);
  await writes.check();
  expect(await beat()).not.toBe(first);

  const other = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  await other.transaction(async (transaction) => {
    await transaction.query(`UPDATE heartbeats SET beat_at = now() WHERE name = 'worker'`);
    await clock.advance(5_000);
    await writes.check();
  });
  await other.destroy();
});

it('is checked once for many probes at once', async () => {
  ping.mockClear();
  const one = readiness();
  await Promise.all(Array.from({ length: 100 }, () => one.check()));
  expect(ping).toHaveBeenCalledTimes(2);
});
