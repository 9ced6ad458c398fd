import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/database/data-source.js';
import { createJobQueue } from '#libs/queue/job-queue.js';
import { chargeCredits, monthOf } from '#libs/billing/credits.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.ts';
import { freePort } from '../../test/support/ports.ts';
import { runCommand } from '../../test/support/run-cli.ts';
import { startRedis } from '../../test/support/redis.ts';
import { row } from '../../test/support/sql.ts';
import { reportOnce } from './platform.js';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

let database: TestDatabase;
let dataSource: DataSource;
let environment: Record<string, string>;

beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url }).initialize();
  environment = { DATABASE_URL: database.url, REDIS_URL: `redis://127.0.0.1:${await freePort()}` };
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(async () => {
  await dataSource.query('DELETE FROM users');
  await dataSource.query(`INSERT INTO users (id, name, email) VALUES ('ada', 'Ada', 'ada@example.com')`);
});

const run = (line: string) => runCommand(line.split(' '), environment);

async function addJob(): Promise<string> {
  const id = randomUUID();
  const month = monthOf(new Date());
  await chargeCredits(dataSource, { userId: 'ada', month, amount: 1, jobId: id });
  await dataSource.query(
    `INSERT INTO jobs (id, user_id, tool, queue, title, input, priority, credits, charge_month)
     VALUES ($1, 'ada', 'generate-article', 'text', 'A', '{}', 'standard', 1, $2)`,
    [id, month],
  );
  return id;
}

it.each([
  'users list',
  'users show ada',
  'jobs list',
  'queues list',
  'queues pause image',
  'queues drain text --user ada --yes',
  'plan ada premium',
  'users suspend ada --reason abuse',
  'users unsuspend ada',
  'users delete ada --yes',
  'audit',
])('%s succeeds, and says once that the queue does not answer', async (line) => {
  await addJob();
  const { status, errors } = await run(line);
  expect(errors).not.toMatch(/\n +at /);
  expect(errors.match(/^The queue does not answer\./gm)).toHaveLength(1);
  expect(status).toBe(0);
});

it.each([
  'getaddrinfo EAI_AGAIN redis',
  'getaddrinfo ENOTFOUND redis',
  'connect ECONNREFUSED 127.0.0.1:6379',
  'Operation timed out after 2000ms',
])('says so of %s', (message) => {
  let errors = '';
  const report = reportOnce({ environment, write: () => undefined, writeError: (text) => (errors += text) });
  for (let i = 0; i < 2; i += 1) report(new Error(message));
  expect(errors).toMatch(/^The queue does not answer\. [^\n]*\n$/);
  expect(errors).toContain(`(${message})`);
});

it('names what a Redis with another password refuses, without a stack', async () => {
  const redis = await startRedis({ requirepass: 'a1b2c3d4e5' });
  const REDIS_URL = redis.url.replace('a1b2c3d4e5', 'another-7f3e');
  // The client of Redis prints errors that have no listener.
  const printed = jest.spyOn(console, 'error');
  try {
    const { status, errors } = await runCommand(['queues', 'pause', 'image'], { ...environment, REDIS_URL });
    expect(errors).toMatch(/^The queue refuses user and password of REDIS_URL .*\(WRONGPASS [^\n]*\)\n/);
    expect(errors).not.toContain('another-7f3e');
    expect(status).toBe(0);
    expect(printed).not.toHaveBeenCalled();
    const queue = createJobQueue({
      ...{ config: { kind: 'redis', url: REDIS_URL }, databaseUrl: database.url, answerWithin: 500 },
      onError: () => undefined,
    });
    await expect(queue.ping()).rejects.toThrow('WRONGPASS');
    await queue.close();
  } finally {
    await redis.stop();
  }
});

it('cancels a job', async () => {
  const id = await addJob();
  expect(await run(`jobs cancel ${id}`)).toMatchObject({ status: 0 });
  const job = await row(dataSource, `SELECT status FROM jobs WHERE id = $1`, [id]);
  expect(job).toMatchObject({ status: 'cancelled' });
});
