import { loadavg } from 'node:os';
import { Queue } from 'bullmq';
import { find } from '../../test/support/machine-programs.ts';
import { startProcess } from '../../test/support/process.ts';
import { startRedis, type TestRedis } from '../../test/support/redis.ts';
import { until } from '../../test/support/until.ts';
import { print } from '../stack/terminal.ts';
import { inParallel, Product } from './product.ts';

/** The submissions of a row end after this many jobs or seconds, whichever is first. */
const JOBS = 400;
const SUBMIT_SECONDS = 10;
/** Jobs for each worker before the measurement. */
const WARM_UP = 32;
const CONCURRENCY = 32;
const USERS = 50;
const WORKERS = [1, 2, 4];

/**
 * Jobs a second from the first submission over HTTP to the last result in PostgreSQL, compared with bare BullMQ with as
 * many jobs, worker processes and concurrent jobs. On Redis.
 */
export async function benchThroughput(databaseUrl: string): Promise<void> {
  if (!find('redis')) return print('Throughput: left out, since redis-server is not on this machine.');
  const redis = await startRedis();
  try {
    print(`Throughput, up to ${JOBS} articles, 8 at once for each worker process, jobs a second:`);
    print('  provider call   workers   ours   bare BullMQ   ratio   jobs   load');
    for (const answerMs of [50, 0]) await measure(databaseUrl, redis, answerMs);
  } finally {
    await redis.stop();
  }
}

async function measure(databaseUrl: string, redis: TestRedis, answerMs: number): Promise<void> {
  const product = await Product.start(databaseUrl, {
    variables: { REDIS_URL: redis.url, PUBLIC_URL: 'http://localhost:3000' },
    users: USERS,
    answerMs,
  });
  try {
    for (const workers of WORKERS) {
      const { ours, jobs } = await measurePressroom(product, workers);
      const bare = await measureBullMq(redis, { workers, answerMs, jobs });
      const figures = [
        `${answerMs ? `${answerMs} ms` : 'immediate'}`.padEnd(16),
        String(workers).padStart(7),
        ours.toFixed(0).padStart(7),
        bare.toFixed(0).padStart(14),
        (ours / bare).toFixed(2).padStart(8),
        String(jobs).padStart(7),
        loadavg()[0]!.toFixed(1).padStart(7),
      ];
      print(`  ${figures.join('')}`);
    }
  } finally {
    await product.close();
  }
}

async function measurePressroom(product: Product, workers: number): Promise<{ ours: number; jobs: number }> {
  await product.deleteJobs();
  await product.sql('DELETE FROM worker_slots');
  for (let i = 0; i < workers; i += 1) product.startWorker();
  await until(
    'all workers to start',
    async () => {
      const [row] = await product.sql<{ count: number }>(
        'SELECT count(DISTINCT worker_id)::integer AS count FROM worker_slots',
      );
      return row?.count === workers;
    },
    { seconds: 60, every: 50 },
  );
  const submit = (i: number) => product.submit('generate-article', `Tomatoes ${i}`, tokenOf(product, i));
  await inParallel(workers * WARM_UP, CONCURRENCY, submit);
  await succeeded(product, workers * WARM_UP);
  let jobs = 0;
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  await inParallel(JOBS, CONCURRENCY, async (i) => {
    if (seconds() > SUBMIT_SECONDS) return;
    await submit(i);
    jobs += 1;
  });
  await succeeded(product, workers * WARM_UP + jobs);
  const ours = jobs / seconds();
  await product.stopWorkers();
  return { ours, jobs };
}

const tokenOf = ({ tokens }: Product, index: number) => tokens[index % tokens.length]!;

const succeeded = (product: Product, count: number) =>
  until(
    `${count} jobs to succeed`,
    async () => {
      const [row] = await product.sql<{ count: number }>(
        `SELECT count(*)::integer AS count FROM jobs WHERE status = 'succeeded'`,
      );
      return row?.count === count;
    },
    { seconds: 120, every: 20 },
  );

async function measureBullMq(
  redis: TestRedis,
  { workers, answerMs, jobs }: { workers: number; answerMs: number; jobs: number },
): Promise<number> {
  const queue = new Queue('bare-throughput', { connection: { url: redis.url } });
  const programs = Array.from({ length: workers }, () =>
    startProcess('scripts/bench/bare-worker.ts', { REDIS_URL: redis.url, ANSWER_MS: String(answerMs) }),
  );
  const add = (i: number) => queue.add('bare', {}, { jobId: `job-${i}`, priority: 1_000 });
  try {
    await until('all bare workers to start', async () => (await queue.getWorkersCount()) === workers, {
      seconds: 60,
      every: 50,
    });
    await inParallel(workers * WARM_UP, CONCURRENCY, add);
    await untilEmpty(queue);
    const startedAt = performance.now();
    await inParallel(jobs, CONCURRENCY, (i) => add(1_000 + i));
    await untilEmpty(queue);
    return jobs / ((performance.now() - startedAt) / 1000);
  } finally {
    await Promise.all(programs.map((program) => program.kill('SIGKILL')));
    await queue.close();
  }
}

const untilEmpty = (queue: Queue) =>
  until(
    'the bare queue to be empty',
    async () => Object.values(await queue.getJobCounts()).every((count) => count === 0),
    { seconds: 60, every: 5 },
  );
