import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeOnBothBackends } from '../support/backends.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';
import { RunningProduct, type User } from './running-product.ts';

allowTimeForPrograms();

const TEXT_LIMIT = 3;

describeOnBothBackends('Workers of some queues only', (backend) => {
  let product: RunningProduct;
  let ada: User;
  beforeAll(async () => {
    const { database, redis } = backend();
    product = await RunningProduct.start(
      {
        databaseUrl: database.url,
        redisUrl: redis?.url,
        variables: { QUEUE_LIMIT_STANDARD: `text=${TEXT_LIMIT}` },
      },
      { workers: 0 },
    );
    ada = await product.user();
  });
  afterAll(() => product?.close());

  const slots = () =>
    product.sql<{ queue: string; slots: number }>('SELECT queue, slots FROM worker_slots ORDER BY queue');

  it('publish the queues that they serve, and take no other jobs', async () => {
    const job = await ada.start('For another worker');
    await product.sql(
      `INSERT INTO job_previews (job_id, attempt, index, image) VALUES ('${job.id}', 0, 0, '')`,
    );
    const variables = { WORKER_QUEUES: 'image,pdf', WORKER_CONCURRENCY: 'text=7,pdf=3' };
    product.startWorker(variables);
    await until('the worker to write its slots', async () => (await slots()).length > 0);
    expect(await slots()).toEqual([
      { queue: 'image', slots: 8 },
      { queue: 'pdf', slots: 3 },
    ]);
    await until(
      'the worker to delete a preview that no attempt shows',
      async () => (await product.sql('SELECT FROM job_previews')).length === 0,
    );
    const bob = await product.user({ plan: 'premium' });
    const later = await bob.call('/api/ai/generate-image', { json: { prompt: 'A bridge' } });
    expect(later.status).toBe(200);
    // Nobody serves its queue, so there is no estimate.
    expect(await ada.job(job.id)).toMatchObject({ status: 'queued', position: 1, etaSeconds: null });

    product.startWorker({ WORKER_QUEUES: 'text', WORKER_CONCURRENCY: '1' });
    expect(await ada.ended(job.id)).toMatchObject({ status: 'succeeded' });
    await product.stopWorkers('SIGTERM');
    expect(await slots()).toEqual([]);
  });

  it('leave no slots behind, also when they are stopped while they write them', async () => {
    await product.sql(
      `CREATE FUNCTION write_slowly() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_sleep(1); RETURN NEW; END $$;
       CREATE TRIGGER slow BEFORE INSERT ON worker_slots FOR EACH ROW EXECUTE FUNCTION write_slowly()`,
    );
    product.startWorker({ WORKER_QUEUES: 'text' });
    await until('the worker to write its slots', () => isWriting('worker_slots'), { every: 50 });
    await product.stopWorkers('SIGTERM');
    await until('all to be written', async () => !(await isWriting('worker_slots')));
    expect(await slots()).toEqual([]);
    await product.sql('DROP TRIGGER slow ON worker_slots; DROP FUNCTION write_slowly');
  });

  const isWriting = async (table: string) => {
    const [found] = await product.sql<{ writing: boolean }>(
      `SELECT count(*) > 0 AS writing FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event = 'PgSleep' AND query LIKE '%INSERT INTO "${table}"%'`,
    );
    return found!.writing;
  };

  it('run at most as many jobs of a queue at once as they have slots', async () => {
    product.startWorker({ WORKER_QUEUES: 'text', WORKER_CONCURRENCY: 'text=2' });
    const jobs = [];
    for (const n of [1, 2, 3]) jobs.push(await ada.start(`Two at once ${n} [[pace:150]]`));
    let most = 0;
    await until('all to have ended', async () => {
      const [found] = await product.sql<{ running: number; left: number }>(
        `SELECT count(*) FILTER (WHERE status = 'running')::integer AS running,
           count(*) FILTER (WHERE finished_at IS NULL)::integer AS left FROM jobs`,
      );
      most = Math.max(most, found!.running);
      return found!.left === 0;
    });
    expect(most).toBe(2);
    await product.stopWorkers();
  });

  it('get no more jobs than a full queue holds: others are answered with 503', async () => {
    const bob = await product.user({ plan: 'premium' });
    const jobs = [];
    for (let n = 0; n < TEXT_LIMIT; n += 1) {
      jobs.push(await ada.start(`Waiting ${n}`, { headers: { 'Idempotency-Key': `waiting-${n}` } }));
    }
    const { credits } = await ada.account();
    const refused = await ada.write('One too many');
    expect(refused).toMatchObject({ status: 503, body: { success: false, code: 'QUEUE_FULL' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await ada.account()).credits).toEqual(credits);
    // Sent again, what was accepted is answered; and users on the premium plan have room.
    expect((await ada.start('Waiting 0', { headers: { 'Idempotency-Key': 'waiting-0' } })).id).toBe(
      jobs[0]!.id,
    );
    jobs.push(await bob.start('On the premium plan'));
    product.startWorker();
    for (const [n, { id }] of jobs.entries()) await (n < TEXT_LIMIT ? ada : bob).ended(id);
    expect(await ada.write('There is room again')).toMatchObject({ status: 200 });
  });
});
