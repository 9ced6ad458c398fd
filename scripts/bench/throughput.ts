import { Queue } from 'bullmq';
import { startProcess, startServer, type TestProcess } from '../../test/support/process.ts';
import { startRedis, type TestRedis } from '../../test/support/redis.ts';
import { until } from '../../test/support/until.ts';
import { freePort } from '../stack/ports.ts';
import { print } from '../stack/terminal.ts';
import type { BareQueue } from './bare-queues.ts';
import { machine, ratio, roundedMedian } from './figures.ts';
import { inParallel, startProduct, untilWorking, type Product } from './product.ts';
import { SameWrites } from './same-writes.ts';

const JOBS = 150;
const ROUNDS = 3;
/** Number of jobs per worker before the measurement. */
const WARM_UP = 32;
const CONCURRENCY = 32;
const USERS = 50;
const WORKERS = [1, 2, 4];

/** Runs a number of jobs. Resolves once the last result is stored. */
type RunJobs = (count: number) => Promise<void>;

interface Row {
  workers: number;
  providerUrl: string;
}

const SAME_WRITES = [
  ['BullMQ', 'bullmq'],
  ['pg-boss', 'pg-boss'],
  ['graphile-worker', 'graphile-worker'],
] as const satisfies [string, BareQueue][];

/**
 * Measures jobs per second from the first submission over HTTP to the last result in PostgreSQL, on Redis. The comparison is
 * with BullMQ alone, which stores nothing, and with BullMQ on Redis, pg-boss and graphile-worker behind an Express handler
 * with the same writes. All use the same number of worker processes and concurrent jobs, and the same provider.
 */
export async function benchThroughput(databaseUrl: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const redis = await startRedis();
  stack.defer(() => redis.stop());
  const writes = new SameWrites(databaseUrl);
  stack.defer(() => writes.close());
  await writes.createTables();
  print(
    `Throughput, jobs a second, ${ROUNDS} rounds of ${JOBS} articles, 8 at once for each worker: ${machine()}`,
  );
  for (const answerMs of [50, 0]) {
    const product = await startProduct(databaseUrl, {
      variables: { REDIS_URL: redis.url, PUBLIC_URL: 'http://localhost:3000' },
      users: USERS,
      answerMs,
    });
    try {
      for (const workers of WORKERS) {
        const row = { workers, providerUrl: product.providerUrl };
        const ours = await measurePressroom(product, row);
        print(
          `  provider ${answerMs ? `${answerMs} ms` : 'immediate'}, ${workers} workers: ours ${roundedMedian(ours)}; ratio to`,
        );
        printRatio('bare BullMQ', ours, await measureBullMq(redis, row));
        for (const [name, kind] of SAME_WRITES) {
          const others = await measureSameWrites(kind, { ...row, databaseUrl, redis, writes });
          printRatio(`${name} with the same writes`, ours, others);
        }
      }
    } finally {
      await product.close();
    }
  }
  print(`  at the end: ${machine()}`);
}

const printRatio = (name: string, ours: number[], others: number[]) =>
  print(`    ${name.padEnd(37)} ${String(roundedMedian(others)).padStart(5)}   ${ratio(ours, others)}`);

/** @returns jobs per second of each round */
async function measureRounds(workers: number, run: RunJobs): Promise<number[]> {
  await run(workers * WARM_UP);
  const figures: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await run(JOBS);
    figures.push(JOBS / ((performance.now() - startedAt) / 1_000));
  }
  return figures;
}

async function measurePressroom(product: Product, { workers }: Row): Promise<number[]> {
  await product.deleteJobs();
  await product.sql('DELETE FROM worker_slots');
  for (let i = 0; i < workers; i += 1) product.startWorker();
  await untilWorking(product);
  let submitted = 0;
  const figures = await measureRounds(workers, async (count) => {
    await inParallel(count, CONCURRENCY, (i) =>
      product.submit('generate-article', `Tomatoes ${i}`, product.tokens[i % product.tokens.length]),
    );
    submitted += count;
    await untilCount(submitted, () => product.countJobs(`status = 'succeeded'`));
  });
  await product.stopWorkers();
  return figures;
}

const untilCount = (count: number, read: () => Promise<number>) =>
  until(`${count} jobs to succeed`, async () => (await read()) === count, { seconds: 120, every: 20 });

async function measureBullMq(redis: TestRedis, { workers, providerUrl }: Row): Promise<number[]> {
  const queue = new Queue('bare', { connection: { url: redis.url } });
  const programs = await startBareWorkers(workers, { REDIS_URL: redis.url, PROVIDER_URL: providerUrl });
  let added = 0;
  try {
    return await measureRounds(workers, async (count) => {
      await inParallel(count, CONCURRENCY, () =>
        queue.add('bare', {}, { jobId: `job-${(added += 1)}`, priority: 1_000 }),
      );
      await until(
        'the bare queue to be empty',
        async () => Object.values(await queue.getJobCounts()).every((waiting) => waiting === 0),
        { seconds: 60, every: 5 },
      );
    });
  } finally {
    await Promise.all(programs.map((program) => program.kill('SIGKILL')));
    await queue.close();
  }
}

async function measureSameWrites(
  kind: BareQueue,
  {
    workers,
    providerUrl,
    databaseUrl,
    redis,
    writes,
  }: Row & { databaseUrl: string; redis: TestRedis; writes: SameWrites },
): Promise<number[]> {
  await writes.deleteJobs();
  const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url, BARE_QUEUE: kind };
  const server = await startServer('scripts/bench/bare.ts', {
    ...environment,
    PORT: String(await freePort()),
  });
  const programs = await startBareWorkers(workers, {
    ...environment,
    WRITES: '1',
    PROVIDER_URL: providerUrl,
  });
  const body = JSON.stringify({ prompt: 'Tomatoes', length: 800 });
  let submitted = 0;
  try {
    return await measureRounds(workers, async (count) => {
      await inParallel(count, CONCURRENCY, async () => {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(`${server.address}/submit-same-writes`, {
          method: 'POST',
          headers,
          body,
        });
        if (response.status !== 202) throw new Error(`Not accepted: ${response.status}`);
        await response.json();
      });
      submitted += count;
      await untilCount(submitted, () => writes.countEnded());
    });
  } finally {
    await Promise.all([server, ...programs].map((program) => program.kill('SIGKILL')));
  }
}

async function startBareWorkers(count: number, environment: NodeJS.ProcessEnv): Promise<TestProcess[]> {
  const programs = Array.from({ length: count }, () =>
    startProcess('scripts/bench/bare-worker.ts', environment),
  );
  await until('all bare workers to start', () => programs.every(({ output }) => output().includes('ready')), {
    seconds: 60,
    every: 20,
  });
  return programs;
}
