import { setTimeout as pause } from 'node:timers/promises';
import { find } from '../../test/support/machine-programs.ts';
import { startOwnPostgres } from '../../test/support/own-postgres.ts';
import { startRedis } from '../../test/support/redis.ts';
import { startS3 } from '../../test/support/s3.ts';
import { until } from '../../test/support/until.ts';
import { print } from '../stack/terminal.ts';
import { inParallel, Product } from './product.ts';

/** Jobs at work and waiting when a fault comes; two workers have 16 slots. */
const HIT = 32;
const ANSWER_MS = 1_000;
const AWAY_MS = 3_000;

interface Fault {
  name: string;
  /** Resolves when what failed is there again, or its stand-in is. */
  happen: () => Promise<void>;
  /** What the jobs are that it hits; articles unless said. */
  tool?: 'generate-article' | 'generate-image';
}

/**
 * Seconds after each fault until a new job ends, and until all those that were hit have: with the defaults of the
 * product, two workers, calls of one second. On Redis, S3 and a PostgreSQL of its own.
 */
export async function benchRecovery(): Promise<void> {
  if (!find('redis')) return print('Recovery: left out, since redis-server is not on this machine.');
  await using stack = new AsyncDisposableStack();
  const [postgres, redis, s3] = await Promise.all([startOwnPostgres(), startRedis(), startS3()]);
  stack.defer(async () => void (await Promise.all([postgres.stop(), redis.stop(), s3.stop()])));
  const product = await Product.start(postgres.url, {
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

  const away = async (leave: () => unknown, comeBack: () => Promise<unknown>) => {
    await leave();
    await pause(AWAY_MS);
    await comeBack();
  };
  const faults: Fault[] = [
    { name: 'none', happen: async () => undefined },
    {
      name: 'worker killed, replaced at once',
      happen: async () => {
        const [killed] = product.workers.splice(0, 1);
        product.startWorker();
        await killed!.kill('SIGKILL');
      },
    },
    {
      name: 'api killed, restarted at once',
      happen: async () => {
        await product.api.kill('SIGKILL');
        await product.restartApi();
      },
    },
    { name: 'Redis emptied', happen: () => redis.flush() },
    { name: 'Redis away for 3 s, back empty', happen: () => away(redis.leave, redis.restart) },
    { name: 'PostgreSQL crashed, back after 3 s', happen: () => away(postgres.crash, postgres.start) },
    { name: 'file store away for 3 s', happen: () => away(s3.leave, s3.comeBack), tool: 'generate-image' },
  ];
  print(
    `Recovery, ${HIT} jobs of ${ANSWER_MS / 1000} s running and waiting when the fault comes; seconds from its end:`,
  );
  print(`  ${'fault'.padEnd(38)}until a new job ended   until all that were hit had`);
  for (const fault of faults) {
    const { first, all } = await measure(product, fault);
    print(`  ${fault.name.padEnd(38)}${seconds(first).padStart(21)}${seconds(all).padStart(29)}`);
  }
}

async function measure(
  product: Product,
  { happen, tool = 'generate-article' }: Fault,
): Promise<{ first: number; all: number }> {
  const hit: string[] = [];
  await inParallel(HIT, 8, async (i) =>
    hit.push(await product.submit(tool, `Hit ${i}`, product.tokens[i % product.tokens.length])),
  );
  await until('jobs to run', async () => (await ended(product, hit)) > 0, { seconds: 30 });
  await happen();
  const back = performance.now();
  const first = (async () => {
    const id = await until(
      'a job to be accepted',
      () => product.submit('generate-article', 'New').catch(() => null),
      {
        seconds: 60,
      },
    );
    await until('it to end', async () => (await ended(product, [id])) === 1, { seconds: 90, every: 20 });
    return performance.now() - back;
  })();
  const all = until('all that were hit to end', async () => (await ended(product, hit)) === HIT, {
    seconds: 90,
    every: 20,
  }).then(() => performance.now() - back);
  const times = { first: await first, all: await all };
  const failed = await product.sql(`SELECT id FROM jobs WHERE status IN ('failed', 'cancelled')`);
  if (failed.length > 0) throw new Error(`${failed.length} jobs failed.`);
  return times;
}

/** How many of these have ended; none while the database cannot say. */
async function ended(product: Product, ids: string[]): Promise<number> {
  try {
    const [row] = await product.sql<{ count: number }>(
      `SELECT count(*)::integer AS count FROM jobs WHERE id = ANY ($1::uuid[]) AND finished_at IS NOT NULL`,
      [ids],
    );
    return row!.count;
  } catch {
    return 0;
  }
}

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
