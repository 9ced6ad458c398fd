import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { query } from '../../scripts/stack/query.ts';
import { until } from '../../test/support/until.ts';
import { testDatabase, type TestDatabase } from '../../test/support/database.js';
import { AdapterPool } from './adapter-pool.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it('publishes an event again when its connection breaks', async () => {
  const pool = new AdapterPool(database.url, { onError: () => undefined, onListeningAgain: () => undefined });
  // Blocks the statement, so that the first attempt is still running when its connection is ended.
  const holder = new pg.Client(database.url);
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock(1)');
  const published = pool
    .forAdapter()
    .query('SELECT pg_advisory_xact_lock_shared(1), pg_backend_pid() AS pid');
  const endConnection = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'pressroom-events' AND datname = current_database() AND state = 'active'`;
  await until('its connection to be ended', async () => (await query(database.url, endConnection)).rowCount);
  await holder.end();
  expect((await published).rowCount).toBe(1);
  await pool.end();
});

it('keeps a connection for publishing when the adapter connects twice to listen', async () => {
  const pool = new AdapterPool(database.url, { onError: () => undefined, onListeningAgain: () => undefined });
  const first = await pool.connect();
  let reconnections = 0;
  first.on('end', () => (reconnections += 1));
  const second = await pool.connect();
  await pool.query('SELECT 1');
  expect(pool.totalCount).toBe(2);
  expect(reconnections).toBe(0);
  second.release();
  await pool.end();
});
