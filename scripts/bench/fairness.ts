import type pg from 'pg';
import { claimJob } from '../../libs/database/functions/claim-job.sql.ts';
import { submitJobs } from '../../libs/database/functions/submit-jobs.sql.ts';
import { startRedis } from '../../test/support/redis.ts';
import { until } from '../../test/support/until.ts';
import { median, medianInterval } from '../stack/statistics.ts';
import { withClient } from '../stack/query.ts';
import { print } from '../stack/terminal.ts';
import { cpuBetween, readCpuTimes } from './cpu.ts';
import { machine } from './figures.ts';
import { inParallel, startProduct, untilWorking, type Product } from './product.ts';

/** Pairs of rounds: after each step, the bench ends if the intervals decide about {@link MAX_COST}. */
const PAIRS = { step: 10, atMost: 60 };
/** Cost of fairness that is allowed, as a ratio. */
const MAX_COST = 1.1;
/** Pairs of measurements of claims. */
const CLAIM_PAIRS = 12;
/** Waiting jobs of one user while claims are measured: the default of UNFINISHED_JOBS. */
const WAITING = 200;
const CLAIMS = 40;
const JOBS = 100;
/** Jobs that ended before: PostgreSQL plans statements for a usual table, not for one that was just created. */
const ENDED_JOBS = 20_000;
/** Rounds before the first pair, after which V8 has compiled the programs and PostgreSQL has planned the functions. */
const WARM_UP_ROUNDS = 10;
const USERS = 20;
const CONCURRENCY = 32;

/**
 * The functions with a switch. They are replaced once: PostgreSQL plans the statements of a replaced function again, five times in
 * each connection.
 */
const IS_FAIR = '(SELECT is_fair FROM bench_fairness)';
const SWITCH = 'CREATE TABLE bench_fairness AS SELECT true AS is_fair';
const SWITCHED = [
  replace(
    replace(claimJob, /(\(SELECT count[^;]*?) AS held/, `CASE WHEN ${IS_FAIR} THEN $1 ELSE 0 END AS held`),
    /IF facts\.held/,
    `IF ${IS_FAIR} AND facts.held`,
  ),
  replace(
    submitJobs,
    /first_start := (1 \+ coalesce\(greatest\([\s\S]*?\), 0\));/,
    `first_start := CASE WHEN ${IS_FAIR} THEN $1 ELSE 1 END;`,
  ),
];
const switchTo = (name: keyof Pair) => `UPDATE bench_fairness SET is_fair = ${name === 'on'}`;

interface Round {
  /** Milliseconds of a job: from the first submission to the last result, and of the CPU. */
  elapsed: number;
  cpu: number;
}

const figures = ['elapsed', 'cpu'] as const satisfies (keyof Round)[];

type Pair = Record<'on' | 'off', Round>;

/**
 * Compares jobs with fair queueing and shares to jobs without, on Redis: jobs a second, and CPU time of programs and PostgreSQL a
 * job. One user submits half of the jobs, so that claims are refused and jobs move back. Adds pairs of rounds until it is
 * known whether the cost is below {@link MAX_COST}.
 * @returns false if it is above, or may be
 */
export async function benchFairness(databaseUrl: string): Promise<boolean> {
  const redis = await startRedis();
  const product = await startProduct(databaseUrl, {
    variables: { REDIS_URL: redis.url, PUBLIC_URL: 'http://localhost:3000' },
    users: USERS,
    answerMs: 0,
  });
  try {
    product.startWorker();
    await untilWorking(product);
    await product.sql(
      `INSERT INTO jobs (id, user_id, tool, queue, title, priority, status, finished_at)
       SELECT gen_random_uuid(), (SELECT min(id) FROM users), 'generate-article', 'text', 'An article', 'standard', 'cancelled', now()
       FROM generate_series(1, ${ENDED_JOBS})`,
    );
    await product.sql('VACUUM ANALYZE jobs');
    for (const statement of [SWITCH, ...SWITCHED]) await product.sql(statement);
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await run(product, databaseUrl, JOBS);
    const pairs: Pair[] = [];
    do await addPair(pairs, product, databaseUrl);
    while (pairs.length < PAIRS.atMost && (pairs.length % PAIRS.step > 0 || !isDecided(pairs)));
    print(
      `Fairness, ${pairs.length} pairs of rounds of ${JOBS} jobs, half of one user, on Redis, with and without: ${machine()}`,
    );
    const perSecond = (name: keyof Pair) => 1_000 / medianOf(pairs, name, 'elapsed');
    print(
      `  jobs a second: ${perSecond('on').toFixed(0)} and ${perSecond('off').toFixed(0)}; time of a job: ${describeCost(pairs, 'elapsed')}`,
    );
    const cpu = (name: keyof Pair) => medianOf(pairs, name, 'cpu').toFixed(2);
    print(
      `  CPU milliseconds of programs and PostgreSQL a job: ${cpu('on')} and ${cpu('off')}; ${describeCost(pairs, 'cpu')}`,
    );
    await product.stopWorkers();
    await compareClaims(product, databaseUrl);
    return figures.every((figure) => intervalOf(pairs, figure).high < MAX_COST);
  } finally {
    await product.close();
    await redis.stop();
  }
}

/** Measures a round with and a round without fairness, in another order than the pair before. */
async function addPair(pairs: Pair[], product: Product, databaseUrl: string): Promise<void> {
  const pair: Partial<Pair> = {};
  await product.renewTokens();
  for (const name of pairs.length % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
    await product.sql(switchTo(name));
    pair[name] = await run(product, databaseUrl, JOBS);
  }
  pairs.push(pair as Pair);
}

const medianOf = (pairs: Pair[], name: keyof Pair, figure: keyof Round) =>
  median(pairs.map((pair) => pair[name][figure]));

const costs = (pairs: Pair[], figure: keyof Round) => pairs.map(({ on, off }) => on[figure] / off[figure]);

const intervalOf = (pairs: Pair[], figure: keyof Round) => medianInterval(costs(pairs, figure));

const isDecided = (pairs: Pair[]) =>
  figures.every((figure) => {
    const { low, high } = intervalOf(pairs, figure);
    return low > MAX_COST || high < MAX_COST;
  });

/** The median of the ratios of the pairs, with its interval, and whether it is below the allowed cost. */
function describeCost(pairs: Pair[], figure: keyof Round): string {
  const { low, high } = intervalOf(pairs, figure);
  const limit = `${((MAX_COST - 1) * 100).toFixed(0)} %`;
  const verdict =
    high < MAX_COST
      ? `the cost is below ${limit}`
      : low > MAX_COST
        ? `the cost is above ${limit}`
        : `the cost may be above ${limit}`;
  return `ratio ${median(costs(pairs, figure)).toFixed(2)}, 95 % interval ${low.toFixed(2)} to ${high.toFixed(2)}: ${verdict}`;
}

async function run(product: Product, databaseUrl: string, jobs: number): Promise<Round> {
  const read = () => readCpuTimes(product.pids(), databaseOf(databaseUrl));
  const before = read();
  const startedAt = performance.now();
  await inParallel(jobs, CONCURRENCY, (i) =>
    product.submit(
      'generate-article',
      `Tomatoes ${i}`,
      product.tokens[i % 2 === 0 ? 0 : 1 + (((i - 1) / 2) % (USERS - 1))],
    ),
  );
  await until(
    'all jobs to end',
    async () => (await product.countJobs(`status IN ('queued', 'running')`)) === 0,
    {
      seconds: 120,
      every: 20,
    },
  );
  const milliseconds = performance.now() - startedAt;
  if ((await product.countJobs(`status = 'failed'`)) > 0) throw new Error('Jobs failed.');
  const spent = cpuBetween(before, read());
  // Not Redis, which fairness does not use, since other servers of it may run on this machine.
  delete spent.Redis;
  const cpu = Object.values(spent).reduce((sum, one) => sum + one, 0);
  return { elapsed: milliseconds / jobs, cpu: cpu / jobs };
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
      for (let pair = 0; pair < CLAIM_PAIRS; pair += 1)
        for (const name of ['on', 'off'] as const) {
          await client.query(switchTo(name));
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
