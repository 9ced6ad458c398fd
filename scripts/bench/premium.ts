import { setTimeout as pause } from 'node:timers/promises';
import { startRedis } from '../../test/support/redis.ts';
import { until } from '../../test/support/until.ts';
import { percentile } from '../stack/statistics.ts';
import { print } from '../stack/terminal.ts';
import { inParallel, startProduct } from './product.ts';

const USERS = 50;
/** Minimum number of queued standard jobs during the measurement. */
const BACKLOG = 2_000;
/** Extra queued jobs: more than a worker runs during the measurement, so that BACKLOG jobs always remain. */
const RESERVE = 1_500;
const PREMIUM_JOBS = 100;
const SUBMIT_EVERY_MS = 50;

/** Measures the wait of premium jobs behind 2,000 queued standard jobs of fifty users, with one busy worker, on Redis. */
export async function benchPremium(databaseUrl: string): Promise<void> {
  const redis = await startRedis();
  const product = await startProduct(databaseUrl, {
    variables: { REDIS_URL: redis.url, PUBLIC_URL: 'http://localhost:3000' },
    users: USERS + 1,
    answerMs: 50,
  });
  try {
    const [premium, ...standard] = product.tokens;
    await inParallel(BACKLOG + RESERVE, 32, (i) =>
      product.submit('generate-article', `Standard ${i}`, standard[i % USERS]),
    );
    // Submit a job to learn the user's id. The api reads the plan with each submission, so the new plan applies at once.
    const id = await product.submit('generate-article', 'First', premium);
    await product.sql(
      `UPDATE users SET plan = 'premium' WHERE id = (SELECT user_id FROM jobs WHERE id = $1)`,
      [id],
    );
    product.startWorker();
    await until('the worker to be busy', async () => (await product.countJobs(`status = 'succeeded'`)) > 20, {
      seconds: 30,
    });

    for (let i = 0; i < PREMIUM_JOBS; i += 1) {
      await product.submit('generate-article', `Premium ${i}`, premium);
      await pause(SUBMIT_EVERY_MS);
    }
    const left = await product.countJobs(`status = 'queued'`);
    const waits = await until('the premium jobs to start', async () => {
      const rows = await product.sql<{ wait: number }>(
        `SELECT extract(epoch FROM started_at - created_at)::float * 1000 AS wait FROM jobs
         WHERE priority = 'premium' AND started_at IS NOT NULL`,
      );
      return rows.length === PREMIUM_JOBS && rows.map(({ wait }) => wait);
    });
    const at = (share: number) => Math.round(percentile(waits, share));
    print(
      `Premium, on Redis: a premium job behind at least ${left} queued standard jobs starts after ${at(0.5)} ms (p50), ` +
        `${at(0.99)} ms (p99), ${at(1)} ms (slowest of ${PREMIUM_JOBS}); one worker, 8 at once, calls of 50 ms`,
    );
    if (left < BACKLOG)
      print(`  Fewer than ${BACKLOG} were queued at the end: this machine runs jobs faster than expected.`);
  } finally {
    await product.close();
    await redis.stop();
  }
}
