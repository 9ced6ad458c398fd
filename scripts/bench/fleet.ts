import { setTimeout as pause } from 'node:timers/promises';
import { startRedis } from '../../test/support/redis.ts';
import { until } from '../../test/support/until.ts';
import { table } from '../cli/table.ts';
import { query } from '../stack/query.ts';
import { print } from '../stack/terminal.ts';
import { machine } from './figures.ts';
import { inParallel, startProduct, untilWorking, type Product } from './product.ts';

const FLEETS = [
  { apis: 1, workers: 1 },
  { apis: 2, workers: 4 },
  { apis: 4, workers: 8 },
];
const USERS = 20;
const JOBS = 200;
const CONCURRENCY = 32;
const ANSWER_MS = 50;
const IDLE_SECONDS = 15;
/** PostgreSQL counts the transactions of an idle connection after at most 10 seconds. */
const REPORT_SECONDS = 12;

interface Figures {
  apis: number;
  workers: number;
  jobsPerSecond: number;
  transactionsPerJob: number;
  /** Transactions a second of all idle apis, and of all idle workers. */
  idleApis: number;
  idleWorkers: number;
}

/**
 * Runs apis and workers on this machine with a provider that only waits, on Redis: jobs a second, and the transactions that
 * PostgreSQL counts for each job and for idle programs. All programs share the cores of one machine, so jobs a second do not
 * grow with the fleet; the counts are those of a real fleet.
 */
export async function benchFleet(databaseUrl: string): Promise<void> {
  print(`Fleet, ${JOBS} articles of ${USERS} users, provider ${ANSWER_MS} ms, on Redis: ${machine()}`);
  const redis = await startRedis();
  const fleets: Figures[] = [];
  try {
    for (const fleet of FLEETS) {
      const variables = { REDIS_URL: redis.url, PUBLIC_URL: 'http://localhost:3000' };
      const product = await startProduct(databaseUrl, {
        ...{ variables, users: USERS, answerMs: ANSWER_MS, apis: fleet.apis },
      });
      try {
        fleets.push({ ...fleet, ...(await measure(product, databaseUrl, fleet.workers)) });
      } finally {
        await product.close();
      }
    }
  } finally {
    await redis.stop();
  }
  const rows = fleets.map((fleet) => [
    `${fleet.apis} + ${fleet.workers}`,
    fleet.jobsPerSecond.toFixed(1),
    fleet.transactionsPerJob.toFixed(1),
    (fleet.idleApis / fleet.apis).toFixed(1),
    (fleet.idleWorkers / fleet.workers).toFixed(1),
    fleet.idleWorkers.toFixed(1),
  ]);
  const titles = ['apis + workers', 'jobs a second', 'transactions a job'];
  const idle = ['idle, a second: an api', 'a worker', 'all workers'];
  print(table([...titles, ...idle], rows).trimEnd());
  const [one, most] = [fleets[0]!, fleets.at(-1)!];
  const alone = one.idleWorkers * most.workers;
  print(
    `  ${most.workers} workers that each do all maintenance: ${alone.toFixed(1)}, ratio ${(most.idleWorkers / alone).toFixed(2)}`,
  );
  print(`  at the end: ${machine()}`);
}

async function measure(
  product: Product,
  databaseUrl: string,
  workers: number,
): Promise<Omit<Figures, 'apis' | 'workers'>> {
  await product.deleteJobs();
  await product.sql('DELETE FROM worker_slots');
  const idleApis = await countIdle(databaseUrl);
  while (product.workers.length < workers) product.startWorker();
  await untilWorking(product);
  const idle = await countIdle(databaseUrl);

  let submitted = 0;
  let polls = 0;
  const run = async (count: number) => {
    await inParallel(count, CONCURRENCY, (i) =>
      product.submit('generate-article', `Tomatoes ${i}`, product.tokens[i % product.tokens.length]),
    );
    submitted += count;
    await until(
      'all jobs to succeed',
      async () => ((polls += 1), (await product.countJobs(`status = 'succeeded'`)) === submitted),
      { seconds: 120, every: 50 },
    );
  };
  await run(16 * workers);
  await pause(REPORT_SECONDS * 1_000);
  polls = 0;
  const before = await readTransactions(databaseUrl);
  const startedAt = performance.now();
  await run(JOBS);
  const seconds = (performance.now() - startedAt) / 1_000;
  await pause(REPORT_SECONDS * 1_000);
  const after = await readTransactions(databaseUrl);
  const total = (performance.now() - startedAt) / 1_000;
  return {
    idleApis,
    idleWorkers: idle - idleApis,
    jobsPerSecond: JOBS / seconds,
    transactionsPerJob: (after - before - polls - idle * total) / JOBS,
  };
}

/** @returns transactions a second while nothing is submitted */
async function countIdle(databaseUrl: string): Promise<number> {
  await pause(REPORT_SECONDS * 1_000);
  const before = await readTransactions(databaseUrl);
  const startedAt = performance.now();
  await pause(IDLE_SECONDS * 1_000);
  const after = await readTransactions(databaseUrl);
  return (after - before) / ((performance.now() - startedAt) / 1_000);
}

/** Reads from the database `postgres`, so that the reading is not counted. */
async function readTransactions(databaseUrl: string): Promise<number> {
  const url = new URL(databaseUrl);
  const database = url.pathname.slice(1);
  url.pathname = '/postgres';
  const result = await query(
    url.href,
    `SELECT (xact_commit + xact_rollback)::float AS count FROM pg_stat_database WHERE datname = $1`,
    [database],
  );
  return (result.rows as { count: number }[])[0]!.count;
}
