import { loadavg } from 'node:os';
import { Queue } from 'bullmq';
import { find } from '../../test/support/machine-programs.ts';
import { startProcess } from '../../test/support/process.ts';
import { startRedis, type TestRedis } from '../../test/support/redis.ts';
import { until } from '../../test/support/until.ts';
import { print } from '../stack/terminal.ts';
import { inParallel, Product } from './product.ts';

/** Submissions of one row end at whichever comes first, so that the bench is over in minutes on a busy machine too. */
const JOBS = 400;
const SUBMIT_SECONDS = 10;
/** Jobs for each worker before those that are measured: the figure is that of a running system, not of cold code. */
const WARM = 32;
const AT_ONCE = 32;
const PEOPLE = 50;
const WORKERS = [1, 2, 4];

/**
 * Jobs a second through the whole path, from the first submission over HTTP to the last result in PostgreSQL, beside
 * bare BullMQ with as many adds, worker processes and jobs at once. On Redis.
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
    users: PEOPLE,
    answerMs,
  });
  try {
    for (const workers of WORKERS) {
      const { ours, jobs } = await throughTheProduct(product, workers);
      const bare = await throughBullMq(redis, { workers, answerMs, jobs });
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

async function throughTheProduct(product: Product, workers: number): Promise<{ ours: number; jobs: number }> {
  await product.emptyJobs();
  await product.sql('DELETE FROM worker_slots');
  for (let i = 0; i < workers; i += 1) product.startWorker();
  await until(
    'all workers to be there',
    async () => {
      const [row] = await product.sql<{ count: number }>(
        'SELECT count(DISTINCT worker_id)::integer AS count FROM worker_slots',
      );
      return row?.count === workers;
    },
    { seconds: 60, every: 50 },
  );
  const submit = (i: number) => product.submit('generate-article', `Tomatoes ${i}`, tokenOf(product, i));
  await inParallel(workers * WARM, AT_ONCE, submit);
  await succeeded(product, workers * WARM);
  let jobs = 0;
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  await inParallel(JOBS, AT_ONCE, async (i) => {
    if (seconds() > SUBMIT_SECONDS) return;
    await submit(i);
    jobs += 1;
  });
  await succeeded(product, workers * WARM + jobs);
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

async function throughBullMq(
  redis: TestRedis,
  { workers, answerMs, jobs }: { workers: number; answerMs: number; jobs: number },
): Promise<number> {
  const queue = new Queue('bare-throughput', { connection: { url: redis.url } });
  const programs = Array.from({ length: workers }, () =>
    startProcess('scripts/bench/bare-worker.ts', { REDIS_URL: redis.url, ANSWER_MS: String(answerMs) }),
  );
  const add = (i: number) => queue.add('bare', {}, { jobId: `job-${i}`, priority: 1_000 });
  try {
    await until('all bare workers to be there', async () => (await queue.getWorkersCount()) === workers, {
      seconds: 60,
      every: 50,
    });
    await inParallel(workers * WARM, AT_ONCE, add);
    await emptied(queue);
    const begun = performance.now();
    await inParallel(jobs, AT_ONCE, (i) => add(1_000 + i));
    await emptied(queue);
    return jobs / ((performance.now() - begun) / 1000);
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
