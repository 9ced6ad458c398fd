import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/database/data-source.js';
import { chargeCredits, monthOf } from '#libs/billing/credits.js';
import { describeOnBothBackends } from '../../test/support/backends.ts';
import { runCli } from './program.js';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

describeOnBothBackends('The commands about queues', (backend) => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await createDataSource({ url: backend().database.url }).initialize();
  });
  afterAll(() => dataSource.destroy());
  beforeEach(async () => {
    await dataSource.query('DELETE FROM paused_queues');
    await dataSource.query('DELETE FROM users');
    await dataSource.query(`INSERT INTO users (id, name, email) VALUES ('ada', 'Ada', 'ada@example.com')`);
  });

  async function run(line: string) {
    let out = '';
    let errors = '';
    const { database, redis } = backend();
    const status = await runCli(line.split(' '), {
      environment: { DATABASE_URL: database.url, REDIS_URL: redis?.url },
      write: (text) => (out += text),
      writeError: (text) => (errors += text),
    });
    return { status, out, errors };
  }
  const json = async <T>(line: string) => JSON.parse((await run(`${line} --json`)).out) as T;

  async function addJob(queue: string, createdAgo = '0s'): Promise<string> {
    const id = randomUUID();
    const month = monthOf(new Date());
    await chargeCredits(dataSource, { userId: 'ada', month, amount: 1, jobId: id });
    const tool = queue === 'text' ? 'generate-article' : 'generate-image';
    await dataSource.query(
      `INSERT INTO jobs (id, user_id, tool, queue, title, input, priority, credits, charge_month, created_at)
       VALUES ($1, 'ada', $2, $3, 'A', '{}', 'standard', 1, $4, now() - $5::interval)`,
      [id, tool, queue, month, createdAgo],
    );
    return id;
  }

  it('pause and resume one, and show it', async () => {
    const { status, out } = await run('queues pause image --reason maintenance');
    expect(status).toBe(0);
    expect(out).toMatch(/^image +0 +0 +- +0 +0 +paused +maintenance$/m);
    expect(out).toMatch(/^text +0 +0 +- +0 +0 +open +-$/m);
    expect(await json<object[]>('queues list')).toContainEqual(
      expect.objectContaining({ queue: 'image', paused: true, reason: 'maintenance' }),
    );
    expect((await run('queues resume image')).out).toMatch(/^image .* open/m);
  });

  it('drain only the named queue, after a confirmation, and refund the credits', async () => {
    await addJob('text');
    await addJob('text');
    const other = await addJob('image');
    expect(await run('queues drain text')).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/^This cancels 2 waiting jobs of the queue text .* --yes/),
    });
    expect(await run('queues drain text --yes')).toMatchObject({
      status: 0,
      out: 'Cancelled 2 waiting jobs of text.\n',
    });
    expect(await json<{ id: string }[]>('jobs list --status queued')).toEqual([
      expect.objectContaining({ id: other }),
    ]);
    expect(await json('credits ada')).toMatchObject({ credits: { remaining: 29 } });
    expect(await json('queues drain text --yes')).toEqual({ queue: 'text', cancelled: 0 });
  });

  it('refuse an unknown queue', async () => {
    expect(await run('queues pause video')).toMatchObject({ status: 2 });
  });

  it('list jobs by tool and age', async () => {
    const [old, young] = [await addJob('text', '3 hours'), await addJob('image', '5 minutes')];
    const ids = async (line: string) => (await json<{ id: string }[]>(line)).map(({ id }) => id);
    expect(await ids('jobs list --tool generate-article')).toEqual([old]);
    expect(await ids('jobs list --older 1h')).toEqual([old]);
    expect(await ids('jobs list --newer 1h')).toEqual([young]);
    expect(await run('jobs list --older long')).toMatchObject({ status: 2 });
  });

  it('remove credits with a ledger entry, and never more than the balance', async () => {
    expect(await json('credits ada --take 10')).toMatchObject({
      credits: { allowance: 20, used: 0, remaining: 20 },
    });
    expect(await run('credits ada --take 21')).toMatchObject({
      status: 1,
      errors: 'This user has fewer than 21 credits left.\n',
    });
    expect(await run('credits ada --take 1 --grant 1')).toMatchObject({ status: 2 });
    const [entry] = await dataSource.query<object[]>(
      `SELECT amount, note FROM credit_entries WHERE user_id = 'ada' AND kind = 'adjustment'`,
    );
    expect(entry).toEqual({ amount: -10, note: 'by an operator' });
  });
});
