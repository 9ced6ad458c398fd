import { setTimeout as pause } from 'node:timers/promises';
import { startOwnPostgres } from '../../test/support/own-postgres.ts';
import { startRedis } from '../../test/support/redis.ts';
import { startS3 } from '../../test/support/s3.ts';
import { until } from '../../test/support/until.ts';
import { print } from '../stack/terminal.ts';
import { inParallel, startProduct, type Product } from './product.ts';

/** Unfinished jobs when a fault begins: half run in the 16 slots of two workers, half are queued. */
const AFFECTED = 32;
const ANSWER_MS = 1_000;
const OUTAGE_MS = 3_000;

interface Fault {
  name: string;
  /** Resolves when the failed part works again or is replaced. */
  inject: () => Promise<void>;
  /** The tool of the affected jobs; default: generate-article. */
  tool?: 'generate-article' | 'generate-image';
}

/**
 * Measures the seconds after each fault until a new job ends, and until all affected jobs have ended. The product runs with
 * default settings, two workers, provider calls of one second, Redis, S3 and its own PostgreSQL.
 */
export async function benchRecovery(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const [postgres, redis, s3] = await Promise.all([startOwnPostgres(), startRedis(), startS3()]);
  stack.defer(async () => void (await Promise.all([postgres.stop(), redis.stop(), s3.stop()])));
  const product = await startProduct(postgres.url, {
    variables: {
      LOG_LEVEL: 'fatal',
      REDIS_URL: redis.url,
      PUBLIC_URL: 'http://localhost:3000',
      ...s3.variables,
    },
    users: 4,
    answerMs: ANSWER_MS,
  });
  stack.defer(() => product.close());
  await product.sql(`UPDATE users SET plan = 'premium'`);
  for (let i = 0; i < 2; i += 1) product.startWorker();

  const outage = async (stop: () => unknown, start: () => Promise<unknown>) => {
    await stop();
    await pause(OUTAGE_MS);
    await start();
  };
  const faults: Fault[] = [
    { name: 'none', inject: async () => undefined },
    {
      name: 'worker killed, replaced at once',
      inject: async () => {
        const [killed] = product.workers.splice(0, 1);
        product.startWorker();
        await killed!.kill('SIGKILL');
      },
    },
    {
      name: 'api killed, restarted at once',
      inject: async () => {
        await product.killApi();
        await product.restartApi();
      },
    },
    { name: 'Redis emptied', inject: () => redis.flush() },
    { name: 'Redis down for 3 s, empty afterwards', inject: () => outage(redis.leave, redis.restart) },
    { name: 'PostgreSQL crashed, up after 3 s', inject: () => outage(postgres.crash, postgres.start) },
    { name: 'file store down for 3 s', inject: () => outage(s3.leave, s3.comeBack), tool: 'generate-image' },
  ];
  print(
    `Recovery, ${AFFECTED} jobs of ${ANSWER_MS / 1000} s running or queued at the fault; seconds from its end:`,
  );
  print(`  ${'fault'.padEnd(38)}until a new job ended   until all affected ended`);
  for (const fault of faults) {
    const { first, all } = await measure(product, fault);
    print(`  ${fault.name.padEnd(38)}${seconds(first).padStart(21)}${seconds(all).padStart(26)}`);
  }
}

async function measure(
  product: Product,
  { inject, tool = 'generate-article' }: Fault,
): Promise<{ first: number; all: number }> {
  const affected: string[] = [];
  await inParallel(AFFECTED, 8, async (i) =>
    affected.push(await product.submit(tool, `Affected ${i}`, product.tokens[i % product.tokens.length])),
  );
  await until('jobs to run', async () => (await ended(product, affected)) > 0, { seconds: 30 });
  await inject();
  const recoveredAt = performance.now();
  const first = (async () => {
    const id = await until(
      'a job to be accepted',
      () => product.submit('generate-article', 'New').catch(() => null),
      { seconds: 60 },
    );
    await until('it to end', async () => (await ended(product, [id])) === 1, { seconds: 90, every: 20 });
    return performance.now() - recoveredAt;
  })();
  const all = until('all affected jobs to end', async () => (await ended(product, affected)) === AFFECTED, {
    seconds: 90,
    every: 20,
  }).then(() => performance.now() - recoveredAt);
  const times = { first: await first, all: await all };
  const failed = await product.countJobs(`status IN ('failed', 'cancelled')`);
  if (failed > 0) throw new Error(`${failed} jobs failed.`);
  return times;
}

/** The number of jobs that have ended; 0 while the database is unavailable. */
const ended = (product: Product, ids: string[]): Promise<number> =>
  product.countJobs('id = ANY ($1::uuid[]) AND finished_at IS NOT NULL', [ids]).catch(() => 0);

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
