import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '../../test/support/database.js';
import { AdapterPool } from './adapter-pool.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it('keeps a connection for publishing when the adapter connects to listen twice', async () => {
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
