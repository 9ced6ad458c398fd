import { afterAll, beforeAll, describe } from '@jest/globals';
import type { QueueConfig } from '#libs/config/environment.js';
import { describeWithRedis } from './available.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { startRedis, type TestRedis } from './redis.ts';

/** The outside services of one suite: a database of its own and, on the Redis backend, a Redis of its own. */
export interface TestBackend {
  database: TestDatabase;
  redis?: TestRedis;
  config: QueueConfig;
}

/**
 * Runs one suite on both backends of queue and live events.
 * @param suite gets a function that gives the services once the tests run, and which backend it is for
 */
export function describeOnBothBackends(
  title: string,
  suite: (backend: () => TestBackend, kind: 'postgres' | 'redis') => void,
): void {
  const on = (kind: 'postgres' | 'redis', start: () => Promise<TestBackend>) => () => {
    let backend: TestBackend | undefined;
    beforeAll(async () => {
      backend = await start();
    });
    afterAll(async () => {
      await backend?.redis?.stop();
      await backend?.database.drop();
    });
    suite(() => {
      if (!backend) throw new Error('The services of this suite were not started.');
      return backend;
    }, kind);
  };
  describe(
    `${title}, on PostgreSQL`,
    on('postgres', async () => ({ database: await testDatabase(), config: { kind: 'postgres' } })),
  );
  describeWithRedis(
    `${title}, on Redis`,
    on('redis', async () => {
      const redis = await startRedis();
      return { database: await testDatabase(), redis, config: { kind: 'redis', url: redis.url } };
    }),
  );
}
