import { setTimeout as pause } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { find } from '../../test/support/machine-programs.ts';
import { startProcess } from '../../test/support/process.ts';
import { startRedis, type TestRedis } from '../../test/support/redis.ts';
import { until } from '../../test/support/until.ts';
import { say } from '../stack/terminal.ts';
import { inParallel, Product } from './product.ts';

const JOBS = 400;
const AT_ONCE = 32;
const PEOPLE = 50;
const WORKERS = [1, 2, 4];

/**
 * Jobs a second through the whole path, from the first submission over HTTP to the last result in PostgreSQL, beside
 * bare BullMQ with as many adds, worker processes and jobs at once. On Redis.
 */
export async function benchThroughput(databaseUrl: string): Promise<void> {
  if (!find('redis')) return say('Throughput: left out, since redis-server is not on this machine.');
  const redis = await startRedis();
  try {
    say(`Throughput, ${JOBS} articles, 8 at once for each worker process, jobs a second:`);
    say('  provider call   workers   ours   bare BullMQ   ratio');
    for (const answerMs of [50, 0]) await measure(databaseUrl, redis, answerMs);
  } finally {
    await redis.stop();
  }
}

async function measure(databaseUrl: string, redis: TestRedis, answerMs: number): Promise<void> {
  const product = await Product.start(databaseUrl, {
    variables: { REDIS_URL: redis.url, PUBLIC_URL: 'http://localhost:3000' },
    people: PEOPLE,
    answerMs,
  });
  try {
    for (const workers of WORKERS) {
      const ours = await throughTheProduct(product, workers);
      const bare = await throughBullMq(redis, workers, answerMs);
      const figures = [
        `${answerMs ? `${answerMs} ms` : 'immediate'}`.padEnd(16),
        String(workers).padStart(7),
        ours.toFixed(0).padStart(7),
        bare.toFixed(0).padStart(14),
        (ours / bare).toFixed(2).padStart(8),
      ];
      say(`  ${figures.join('')}`);
    }
  } finally {
    await product.close();
  }
}

async function throughTheProduct(product: Product, workers: number): Promise<number> {
  await product.emptyJobs();
  for (let i = 0; i < workers; i += 1) product.startWorker();
  // A first job for each slot: the figure is that of a running system, not of programs that are starting.
  await inParallel(workers * 8, 8, (i) =>
    product.submit('generate-article', `Warm ${i}`, tokenOf(product, i)),
  );
  await succeeded(product, workers * 8);
  const begun = performance.now();
  await inParallel(JOBS, AT_ONCE, (i) =>
    product.submit('generate-article', `Tomatoes ${i}`, tokenOf(product, i)),
  );
  await succeeded(product, workers * 8 + JOBS);
  const seconds = (performance.now() - begun) / 1000;
  await product.stopWorkers();
  return JOBS / seconds;
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

async function throughBullMq(redis: TestRedis, workers: number, answerMs: number): Promise<number> {
  const queue = new Queue('bare-throughput', { connection: { url: redis.url } });
  const programs = Array.from({ length: workers }, () =>
    startProcess('scripts/bench/bare-worker.ts', { REDIS_URL: redis.url, ANSWER_MS: String(answerMs) }),
  );
  const add = (i: number) => queue.add('bare', {}, { jobId: `job-${i}`, priority: 1_000 });
  try {
    await inParallel(workers * 8, 8, add);
    await emptied(queue);
    await pause(200);
    const begun = performance.now();
    await inParallel(JOBS, AT_ONCE, (i) => add(1_000 + i));
    await emptied(queue);
    return JOBS / ((performance.now() - begun) / 1000);
  } finally {
    await Promise.all(programs.map((program) => program.kill('SIGKILL')));
    await queue.close();
  }
}

const emptied = (queue: Queue) =>
  until(
    'the bare queue to be empty',
    async () => Object.values(await queue.getJobCounts()).every((count) => count === 0),
    { seconds: 60, every: 5 },
  );
