import type pg from 'pg';
import { claimJob } from '#libs/database/functions/claim-job.sql.js';
import { othersWait } from '#libs/database/functions/others-wait.sql.js';
import { submitJobs } from '#libs/database/functions/submit-jobs.sql.js';
import { findProgram } from '../../test/support/machine-programs.ts';
import { startRedis } from '../../test/support/redis.ts';
import { until } from '../../test/support/until.ts';
import { median } from '../stack/statistics.ts';
import { withClient } from '../stack/query.ts';
import { print } from '../stack/terminal.ts';
import { readCpuTimes } from './cpu.ts';
import { machine, ratio, roundedMedian } from './figures.ts';
import { inParallel, startProduct, untilWorking, type Product } from './product.ts';

const PAIRS = 12;
/** Waiting jobs of one user while claims are measured: the default of UNFINISHED_JOBS. */
const WAITING = 200;
const CLAIMS = 40;
const JOBS = 200;
const USERS = 20;
const CONCURRENCY = 32;

const ON = [othersWait, claimJob, submitJobs];
/** Jobs start in the order of their submission, and no user has a limited share of the slots. */
const OFF = [
  othersWait,
  replace(
    claimJob,
    /IF EXISTS \(SELECT FROM jobs WHERE user_id/,
    'IF false AND EXISTS (SELECT FROM jobs WHERE user_id',
  ),
  replace(submitJobs, /first_start := 1 \+ coalesce\(greatest\([\s\S]*?\), 0\);/, 'first_start := 1;'),
];

interface Round {
  perSecond: number;
  cpuMs: number;
}

/**
 * Compares jobs with fair queueing and shares to jobs without, on Redis: jobs a second, and CPU time of programs and PostgreSQL a job. One user submits half of the jobs, so that claims are refused and jobs move back.
 */
export async function benchFairness(databaseUrl: string): Promise<void> {
  if (!findProgram('redis')) return print('Fairness: skipped, because this machine has no redis-server.');
  const redis = await startRedis();
  const product = await startProduct(databaseUrl, {
    variables: { REDIS_URL: redis.url, PUBLIC_URL: 'http://localhost:3000' },
    users: USERS,
    answerMs: 0,
  });
  try {
    product.startWorker();
    await untilWorking(product);
    await run(product, databaseUrl);
    const rounds = { on: [] as Round[], off: [] as Round[] };
    for (let pair = 0; pair < PAIRS; pair += 1)
      for (const name of pair % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
        for (const definition of name === 'on' ? ON : OFF) await product.sql(definition);
        rounds[name].push(await run(product, databaseUrl));
      }
    const of = (name: 'on' | 'off', figure: keyof Round) => rounds[name].map((round) => round[figure]);
    const [on, off] = [of('on', 'perSecond'), of('off', 'perSecond')];
    print(
      `Fairness, ${PAIRS} pairs of rounds of ${JOBS} jobs, half of one user, on Redis, with and without: ${machine()}`,
    );
    print(`  jobs a second: ${roundedMedian(on)} and ${roundedMedian(off)}, ratio ${ratio(on, off)}`);
    const [cpuOn, cpuOff] = [of('on', 'cpuMs'), of('off', 'cpuMs')];
    const times = median(cpuOn.map((one, pair) => one / cpuOff[pair]!)).toFixed(2);
    print(
      `  CPU milliseconds of programs and PostgreSQL: ${median(cpuOn).toFixed(2)} and ${median(cpuOff).toFixed(2)} a job, ratio ${times}`,
    );
    await product.stopWorkers();
    await compareClaims(product, databaseUrl);
  } finally {
    await product.close();
    await redis.stop();
  }
}

async function run(product: Product, databaseUrl: string): Promise<Round> {
  await product.deleteJobs();
  const read = () => readCpuTimes(product.pids(), databaseOf(databaseUrl));
  const before = read();
  const startedAt = performance.now();
  await inParallel(JOBS, CONCURRENCY, (i) =>
    product.submit(
      'generate-article',
      `Tomatoes ${i}`,
      product.tokens[i % 2 === 0 ? 0 : 1 + (((i - 1) / 2) % (USERS - 1))],
    ),
  );
  await until('all jobs to succeed', async () => (await product.countJobs(`status = 'succeeded'`)) === JOBS, {
    seconds: 120,
    every: 20,
  });
  const milliseconds = performance.now() - startedAt;
  const after = read();
  // Not Redis, which fairness does not use, since other servers of it may run on this machine.
  const spent = Object.keys(after)
    .filter((name) => name !== 'Redis')
    .map((name) => after[name]! - (before[name] ?? 0));
  return {
    perSecond: JOBS / (milliseconds / 1_000),
    cpuMs: spent.reduce((sum, one) => sum + one, 0) / JOBS,
  };
}

/** Compares claims of one user with many waiting jobs, while others wait too, and while nobody else does. */
async function compareClaims(product: Product, databaseUrl: string): Promise<void> {
  await product.deleteJobs();
  await product.sql(
    `INSERT INTO jobs (id, user_id, tool, queue, title, input, priority, lane, virtual_start, enqueued_at)
     SELECT gen_random_uuid(), (SELECT min(id) FROM users), 'generate-article', 'text', 'An article', '{}', 'standard', 2, n, now()
     FROM generate_series(1, ${WAITING}) AS numbers (n)`,
  );
  await withClient(databaseUrl, 0, async (client) => {
    await client.query('VACUUM ANALYZE jobs');
    for (const others of [0, 1]) {
      if (others)
        await client.query(
          `INSERT INTO jobs (id, user_id, tool, queue, title, input, priority, lane, virtual_start, enqueued_at)
           SELECT gen_random_uuid(), id, 'generate-article', 'text', 'An article', '{}', 'standard', 2, ${WAITING}, now()
           FROM users WHERE id > (SELECT min(id) FROM users)`,
        );
      const times = { on: [] as number[], off: [] as number[] };
      for (let pair = 0; pair < PAIRS; pair += 1)
        for (const name of ['on', 'off'] as const) {
          for (const definition of name === 'on' ? ON : OFF) await client.query(definition);
          times[name].push(median(await timeClaims(client)));
        }
      const [on, off] = [median(times.on), median(times.off)];
      print(
        `  a claim of a user with ${WAITING} waiting jobs, ${others ? 'others wait' : 'nobody else waits'}: ${on.toFixed(2)} ms, ` +
          `without fairness ${off.toFixed(2)} ms`,
      );
    }
  });
}

/** @returns milliseconds of each claim */
async function timeClaims(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM jobs WHERE user_id = (SELECT min(id) FROM users) ORDER BY virtual_start LIMIT ${CLAIMS}`,
  );
  const times: number[] = [];
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO worker_slots (worker_id, queue, slots) VALUES (gen_random_uuid(), 'text', 1000)`,
  );
  for (const { id } of rows) {
    const startedAt = performance.now();
    await client.query('SELECT claim_job($1, 60, true)', [id]);
    times.push(performance.now() - startedAt);
  }
  await client.query('ROLLBACK');
  return times;
}

const databaseOf = (url: string) => new URL(url).pathname.slice(1);

function replace(definition: string, part: RegExp, by: string): string {
  if (definition.search(part) < 0) throw new Error(`The definition has no part ${String(part)}.`);
  return definition.replace(part, by);
}
