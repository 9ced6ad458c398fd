import { expect, it } from '@jest/globals';
import { testDatabase } from '../../test/support/database.js';
import { ClientWithErrorListener } from './client-with-error-listener.js';
import { migrate } from './migrate.js';

it('says once which process holds the lock, then migrates', async () => {
  const database = await testDatabase();
  const holder = new ClientWithErrorListener({ connectionString: database.url, application_name: 'holder' });
  await holder.connect();
  const { rows } = await holder.query<{ pid: number }>(
    `SELECT pg_backend_pid() AS pid, pg_advisory_lock(hashtext('pressroom migrations'))`,
  );
  const messages: string[] = [];
  const { promise: waits, resolve } = Promise.withResolvers<void>();
  const onWait = (message: string) => resolve(void messages.push(message));
  const migration = migrate(database.url, 'session', { askAgainMs: 1, onWait });
  await waits;
  await holder.end();
  await migration;
  expect(messages).toEqual([
    `Another migration holds the lock, waiting for it: process ${rows[0]!.pid} of PostgreSQL (holder).`,
  ]);
  await database.drop();
});
