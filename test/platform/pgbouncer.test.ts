import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConfigurationError } from '#libs/config/configuration-error.js';
import { createDataSource, isDatabaseRefused, openDataSource } from '#libs/database/data-source.js';
import { limitedRead } from '#libs/database/limited-read.js';
import { migrate } from '#libs/database/migrate.js';
import { queryPrepared } from '#libs/database/sql.js';
import { describeWithPgBouncer } from '../support/available.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { json, startInProcessProduct, type InProcessProduct } from '../support/in-process-product.ts';
import { startPgBouncer, type TestPgBouncer } from '../support/pgbouncer.ts';
import { startProcess } from '../support/process.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { runCommand } from '../support/run-cli.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';

allowTimeForPrograms();

const LIMITS = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS "lock"`;

describeWithPgBouncer.each([
  // Each program holds its connections.
  ['session', 'Redis', 40],
  ['session', 'PostgreSQL', 60],
  ['transaction', 'Redis', 6],
] as const)('behind PgBouncer in %s mode, with the queue on %s', (mode, queue, poolSize) => {
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
      ...(queue === 'Redis' ? { REDIS_URL: redis.url } : {}),
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

  it('cancels the statement of a search whose client left', async () => {
    const dataSource = await openDataSource({ url: pooler.url, pooling: mode });
    const abort = new AbortController();
    const read = limitedRead(dataSource, { milliseconds: 60_000, signal: abort.signal }, (transaction) =>
      transaction.query(`SELECT pg_sleep(50) AS "searched for long"`),
    );
    const isRunning = async () =>
      (
        await product.sql(
          `SELECT FROM pg_stat_activity WHERE query ~ '^SELECT pg_sleep\\(50' AND state = 'active'`,
        )
      ).length > 0;
    await until('the search', isRunning);
    abort.abort();
    await expect(read).rejects.toMatchObject({ code: '57014' });
    expect(await isRunning()).toBe(false);
    await dataSource.destroy();
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

  it('in transaction mode is not used as if it were in session mode, and keeps no lock of a migration', async () => {
    const database = await testDatabase();
    const pooler = await startPgBouncer(database.url, { mode: 'transaction', poolSize: 5 });
    const words = /DATABASE_POOLING=transaction, and DATABASE_DIRECT_URL/;
    for (const open of [() => openDataSource({ url: pooler.url }), () => migrate(pooler.url)]) {
      const opening = open();
      await expect(opening).rejects.toThrow(ConfigurationError);
      await expect(opening).rejects.toThrow(words);
    }
    for (const script of ['dist/scripts/prepare.js', 'dist/libs/database/migrate.js']) {
      const child = startProcess(script, { DATABASE_URL: pooler.url });
      expect(await child.ended).toEqual({ code: 78, signal: null });
      expect(child.output()).toMatch(words);
    }
    await migrate(database.url);
    await pooler.stop();
    await database.drop();
  });

  it('in session mode is used with few connections', async () => {
    const database = await testDatabase();
    const pooler = await startPgBouncer(database.url, { mode: 'session', poolSize: 2 });
    await migrate(pooler.url);
    const dataSource = await openDataSource({ url: pooler.url, poolSize: 2 });
    expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await dataSource.destroy();
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

describeWithPgBouncer('a PgBouncer that refuses', () => {
  let database: TestDatabase;
  let pooler: TestPgBouncer;
  beforeAll(async () => {
    database = await testDatabase();
    pooler = await startPgBouncer(database.url, { mode: 'session', poolSize: 2 });
  });
  afterAll(async () => {
    await pooler?.stop();
    await database?.drop();
  });

  const opens = (url: URL) => openDataSource({ url: url.href }, { retryEveryMs: 1 });

  it.each<[string, (url: URL) => void, RegExp]>([
    ['password', (url) => (url.password = 'another'), /authentication failed/],
    ['user', (url) => (url.username = 'nobody'), /authentication failed|no such user/],
    ['name', (url) => (url.pathname = '/nobodys'), /no such database: nobodys/],
  ])('the %s is a wrong configuration', async (_, change, reason) => {
    const url = new URL(pooler.url);
    change(url);
    const message = new RegExp(`^DATABASE_URL must hold .*(?:${reason.source})`);
    const opening = opens(url);
    await expect(opening).rejects.toThrow(ConfigurationError);
    await expect(opening).rejects.toThrow(message);
    const child = startProcess('dist/scripts/prepare.js', { DATABASE_URL: url.href });
    expect(await child.ended).toEqual({ code: 78, signal: null });
    expect(child.output()).toMatch(new RegExp(message.source, 'm'));
    const { status, errors } = await runCommand(['jobs', 'list'], { DATABASE_URL: url.href });
    expect([status, errors]).toEqual([1, expect.stringMatching(/^The database refuses the connection/)]);
    expect(errors).toMatch(reason);
  });

  it('because PostgreSQL refuses it is a wrong configuration', async () => {
    await database.drop();
    await pooler.restart();
    const connect = () => createDataSource({ url: pooler.url }).initialize();
    const error = await until('the reason', () =>
      connect().then(undefined, (reason: Error) => /does not exist/.test(reason.message) && reason),
    );
    expect(isDatabaseRefused(error)).toBe(true);
  });
});
