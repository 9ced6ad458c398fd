import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConfigurationError } from '#libs/config/configuration-error.js';
import { createDataSource, openDataSource } from '#libs/database/data-source.js';
import { migrate } from '#libs/database/migrate.js';
import { queryPrepared } from '#libs/database/sql.js';
import { describeWithPgBouncer } from '../support/available.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { json, startInProcessProduct, type InProcessProduct } from '../support/in-process-product.ts';
import { startPgBouncer, type TestPgBouncer } from '../support/pgbouncer.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';

allowTimeForPrograms();

const LIMITS = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS "lock"`;

describeWithPgBouncer.each([
  // Each program holds its connections.
  ['session', 40],
  ['transaction', 6],
] as const)('behind PgBouncer in %s mode', (mode, poolSize) => {
  let database: TestDatabase;
  let redis: TestRedis;
  let pooler: TestPgBouncer;
  let product: InProcessProduct;
  beforeAll(async () => {
    database = await testDatabase();
    await migrate(database.url, mode);
    [redis, pooler] = await Promise.all([startRedis(), startPgBouncer(database.url, { mode, poolSize })]);
    product = await startInProcessProduct({
      DATABASE_URL: pooler.url,
      DATABASE_POOLING: mode,
      REDIS_URL: redis.url,
    });
  });
  afterAll(async () => {
    await product?.stop();
    await pooler?.stop();
    await redis?.stop();
    await database?.drop();
  });

  const runTitle = async (user: Awaited<ReturnType<InProcessProduct['signUp']>>) =>
    json(
      await user.call('/api/ai/generate-blog-title', {
        json: { prompt: 'salt marshes', category: 'Travel' },
      }),
    );

  it('runs jobs of several users at once', async () => {
    const users = await Promise.all(['Ada', 'Bob', 'Cleo', 'Dan'].map((name) => product.signUp(name)));
    const answers = await Promise.all(users.flatMap((user) => [1, 2, 3].map(() => runTitle(user))));
    expect(answers.map(({ success }) => success)).toEqual(answers.map(() => true));
    const account = await json(await users[0]!.call('/api/user/account'));
    expect(account.credits.used).toBe(3);
  });

  it('has time limits on every connection', async () => {
    const found = await Promise.all(Array.from({ length: 8 }, () => product.sql(LIMITS)));
    expect(found.flat()).toEqual(found.map(() => ({ statement: '30s', lock: '10s' })));
  });

  it('goes on after PgBouncer was killed', async () => {
    const user = await product.signUp('Eve');
    await pooler.restart();
    const answer = await until('a job', async () => {
      const tried = await runTitle(user);
      return tried.success && tried;
    });
    expect(answer.content).toMatch(/salt marsh/i);
  });
});

describeWithPgBouncer('a database behind PgBouncer', () => {
  it('is not used in transaction mode without time limits', async () => {
    const database = await testDatabase();
    const pooler = await startPgBouncer(database.url, { mode: 'transaction', poolSize: 2 });
    const opening = openDataSource({ url: pooler.url, pooling: 'transaction' });
    await expect(opening).rejects.toThrow(ConfigurationError);
    const unlimited = await createDataSource({ url: pooler.url, pooling: 'transaction' }).initialize();
    expect(await unlimited.query(LIMITS)).toEqual([{ statement: '0', lock: '0' }]);
    await unlimited.destroy();
    await pooler.stop();
    await database.drop();
  });

  it('shares one server session between connections with prepared statements in transaction mode', async () => {
    const database = await testDatabase();
    const pooler = await startPgBouncer(database.url, { mode: 'transaction', poolSize: 1 });
    const statement = { name: 'one', text: 'SELECT 1 AS one' };
    for (let connection = 0; connection < 2; connection += 1) {
      const dataSource = createDataSource({ url: pooler.url, pooling: 'transaction' });
      await dataSource.initialize();
      expect(await queryPrepared(dataSource, z.object({ one: z.int() }), statement)).toEqual([{ one: 1 }]);
      await dataSource.destroy();
    }
    await pooler.stop();
    await database.drop();
  });
});
