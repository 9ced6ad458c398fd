import { setTimeout as pause } from 'node:timers/promises';
import { find } from '../../test/support/machine-programs.ts';
import { startRedis } from '../../test/support/redis.ts';
import { until } from '../../test/support/until.ts';
import { print } from '../stack/terminal.ts';
import { inParallel, Product } from './product.ts';

const PEOPLE = 50;
/** Standard jobs that wait at least, at every moment of the measurement. */
const BEHIND = 2_000;
/** More than can be run meanwhile. */
const SPARE = 1_500;
const PREMIUM_JOBS = 100;
const EVERY_MS = 50;

/** How long a premium job waits to start while 2,000 standard jobs of fifty users wait, with one busy worker. On Redis. */
export async function benchPremium(databaseUrl: string): Promise<void> {
  if (!find('redis')) return print('Premium: left out, since redis-server is not on this machine.');
  const redis = await startRedis();
  const product = await Product.start(databaseUrl, {
    variables: { REDIS_URL: redis.url, PUBLIC_URL: 'http://localhost:3000' },
    users: PEOPLE + 1,
    answerMs: 50,
  });
  try {
    const [premium, ...standard] = product.tokens;
    await inParallel(BEHIND + SPARE, 32, (i) =>
      product.submit('generate-article', `Standard ${i}`, standard[i % PEOPLE]),
    );
    // Whoever has the first token; the api reads the plan anew with each submission.
    const id = await product.submit('generate-article', 'Whose is it', premium);
    await product.sql(
      `UPDATE users SET plan = 'premium' WHERE id = (SELECT user_id FROM jobs WHERE id = $1)`,
      [id],
    );
    product.startWorker();
    await until('the worker to be busy', async () => (await count(product, 'succeeded')) > 20, {
      seconds: 30,
    });

    for (let i = 0; i < PREMIUM_JOBS; i += 1) {
      await product.submit('generate-article', `Premium ${i}`, premium);
      await pause(EVERY_MS);
    }
    const left = await count(product, 'queued');
    const waits = await until('the premium jobs to start', async () => {
      const rows = await product.sql<{ wait: number }>(
        `SELECT extract(epoch FROM started_at - created_at)::float * 1000 AS wait FROM jobs
         WHERE priority = 'premium' AND started_at IS NOT NULL`,
      );
      return rows.length === PREMIUM_JOBS && rows.map(({ wait }) => wait).toSorted((a, b) => a - b);
    });
    const at = (share: number) => Math.round(waits[Math.ceil(share * waits.length) - 1]!);
    print(
      `Premium, on Redis: a premium job behind at least ${left} queued standard jobs starts after ${at(0.5)} ms (p50), ` +
        `${at(0.99)} ms (p99), ${Math.round(waits.at(-1)!)} ms (slowest of ${PREMIUM_JOBS}); one worker, 8 at once, calls of 50 ms`,
    );
    if (left < BEHIND)
      print(`  Fewer than ${BEHIND} waited at the end: this machine runs jobs faster than expected.`);
  } finally {
    await product.close();
    await redis.stop();
  }
}

async function count(product: Product, status: string): Promise<number> {
  const [row] = await product.sql<{ count: number }>(
    `SELECT count(*)::integer AS count FROM jobs WHERE status = $1`,
    [status],
  );
  return row!.count;
}
