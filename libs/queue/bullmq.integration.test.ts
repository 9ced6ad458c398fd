import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import { ClientWithErrorListener } from '#libs/database/client-with-error-listener.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.js';
import { queueOptions, ReconnectingWorker, workerOptions } from './bullmq.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

// BullMQ removes all listeners of the connection when it closes it. A later error would then be unhandled and end the
// process.
it('never lets an error of the connection that listens end the process', async () => {
  const worker = new ReconnectingWorker('text', async () => undefined, {
    ...queueOptions({ kind: 'postgres' }, database.url),
    ...workerOptions({ concurrency: 1, leaseSeconds: 10, closeSeconds: 5 }),
    autorun: false,
  });
  await worker.waitUntilReady();
  const { connection } = worker.backend as unknown as {
    connection: { getListenClient(): Promise<pg.Client> };
  };
  const client = await connection.getListenClient();
  expect(client).toBeInstanceOf(ClientWithErrorListener);
  client.removeAllListeners();
  const log = jest.spyOn(console, 'error').mockReturnValue();
  expect(() => client.emit('error', new Error('terminating connection'))).not.toThrow();
  expect(log).toHaveBeenCalledTimes(1);
  log.mockRestore();
  await worker.close();
});
