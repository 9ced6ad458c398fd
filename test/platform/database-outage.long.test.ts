import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { query } from '../../scripts/stack/query.ts';
import { writeArticle } from '../provider/article.ts';
import { describeWithRedis } from '../support/available.ts';
import { startOwnPostgres, type OwnPostgres } from '../support/own-postgres.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';
import { RunningProduct, type Answer, type User } from './running-product.ts';

allowTimeForPrograms();

/** PostgreSQL stops for ten seconds during jobs: no job is lost or charged wrongly, and no program needs a restart. */
describe('With the queue on PostgreSQL', () => suite(async () => undefined));
describeWithRedis('With the queue on Redis', () => suite(startRedis));

function suite(startQueue: () => Promise<TestRedis | undefined>): void {
  let postgres: OwnPostgres;
  let redis: TestRedis | undefined;
  let product: RunningProduct;
  let ada: User;
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startOwnPostgres(), startQueue()]);
    product = await RunningProduct.start({ databaseUrl: postgres.url, redisUrl: redis?.url });
    ada = await product.user();
  });
  afterAll(async () => {
    await product?.close();
    await redis?.stop();
    await postgres?.stop();
  });

  it('ends no program when every connection is ended again and again', async () => {
    const jobs = await Promise.all(
      [1, 2, 3].map((i) => ada.start(`Goes on ${i} without a connection [[pace:150]]`)),
    );
    for (let round = 1; round <= 8; round += 1) {
      await query(
        postgres.url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()`,
      );
      await until('a program to connect again', async () => {
        const { rows } = await query(
          postgres.url,
          'SELECT 1 FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
        );
        return rows.length > 0;
      });
    }
    for (const { id } of jobs) expect(await ada.ended(id)).toMatchObject({ status: 'succeeded', credits: 1 });
    const running = [...product.apis, ...product.workers];
    expect(await Promise.race([...running.map(({ ended }) => ended), Promise.resolve('none ended')])).toBe(
      'none ended',
    );
  });

  it.each<[string, () => void, () => Promise<void> | void]>([
    ['crashed', () => postgres.crash(), () => postgres.start()],
    ['stood still', () => postgres.freeze(), () => postgres.thaw()],
  ])('goes on after PostgreSQL %s for ten seconds', async (how, leave, comeBack) => {
    const before = (await ada.account()).credits.remaining!;
    const ends = [
      `Ends during the outage, ${how} [[stop]]`,
      `Ends after it is back, ${how} [[words:80]][[stop:2]]`,
    ];
    const jobs = await Promise.all(ends.map((prompt) => ada.start(prompt)));
    const waiting = await Promise.all(
      [1, 2, 3].map((i) => ada.start(`Waits its turn ${i}, ${how} [[pace:100]]`)),
    );
    for (const { id } of jobs) await ada.writing(id);
    await until('both to stop in the middle', () => product.provider.stopped === 2);

    leave();
    const stoppedAt = performance.now();
    let writing: Promise<Answer>;
    try {
      product.provider.goOn();
      // A server that is being killed may still store what it then cannot answer.
      if (how === 'crashed')
        await until(
          'the database to be unavailable',
          async () => (await product.call('/health/ready')).status === 503,
        );
      // Not awaited here, because a frozen server may answer only when it goes on.
      writing = ada.write(`Requested during the outage, ${how}`, {
        headers: { Prefer: 'respond-async' },
      });
      expect((await product.call('/health/live')).status).toBe(200);
      // The length of the outage is what is tested.
      await pause(Math.max(0, 10_000 - (performance.now() - stoppedAt)));
    } finally {
      await comeBack();
    }
    const answer = await writing;
    if (how === 'crashed')
      expect(answer).toMatchObject({ status: 503, body: { success: false, code: 'UNAVAILABLE' } });
    if (answer.status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const releasingStops = setInterval(() => product.provider.goOn(), 50);

    const all = [...jobs, ...waiting, ...(answer.status === 202 ? [answer.body.job] : [])] as {
      id: string;
    }[];
    try {
      for (const { id } of all)
        expect(await ada.ended(id)).toMatchObject({ status: 'succeeded', credits: 1 });
    } finally {
      clearInterval(releasingStops);
    }
    for (const [i, { id }] of jobs.entries()) {
      const prompt = ends[i]!;
      expect(((await ada.job(id)).result?.content as string).trim()).toBe(
        writeArticle(prompt.replace(/\[\[[^\]]*\]\]/g, '').trim(), i === 0 ? 40 : 80),
      );
    }
    // A refused request stored nothing; an accepted one has one creation and one charge.
    const listed = (await ada.call('/api/jobs?limit=100')).body.jobs as { id: string; title: string }[];
    const stored = listed.filter(({ title }) => title.includes(how));
    for (const { id } of stored) await ada.ended(id);
    if (answer.status === 503 && how === 'crashed') expect(stored).toHaveLength(all.length);
    const ids = stored.map(({ id }) => id).sort();
    const creations = (await ada.creations()).filter(({ jobId }) => ids.includes(jobId));
    expect(creations.map(({ jobId }) => jobId).sort()).toEqual(ids);
    expect((await ada.account()).credits.remaining).toBe(before - ids.length);

    // Live events, the queue and held calls all work again in the same processes.
    const listener = await ada.listen(undefined, { reconnection: true });
    expect((await ada.write(`Afterwards, ${how}`)).status).toBe(200);
    await ada.receivesAgain(listener);
    listener.close();
    for (const program of [...product.apis, ...product.workers])
      expect(program.output()).not.toMatch(/unhandled|uncaught/i);
  });
}
