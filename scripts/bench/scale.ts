import pg from 'pg';
import { freePort } from '../stack/ports.ts';
import { median } from '../stack/statistics.ts';
import { print } from '../stack/terminal.ts';
import { startApi } from '../../test/support/process.ts';
import { machine } from './figures.ts';
import { call, signUpUsers, submitJob, unlimited } from './users.ts';

/** Numbers of stored jobs, of queued jobs among them and of creations. Each step is measured. */
const STEPS = [
  { jobs: 0, waiting: 0, creations: 0 },
  { jobs: 1_000, waiting: 100, creations: 100 },
  { jobs: 100_000, waiting: 10_000, creations: 10_000 },
  { jobs: 1_000_000, waiting: 10_000, creations: 50_000 },
];
/** Number of users who own the stored jobs. */
const OTHERS = 1_000;
const SAMPLES = 60;

/**
 * Measures operations whose cost must not grow with the number of rows, without concurrency: a submission, a claim, a
 * queue position, a page of jobs, of creations and of a search.
 */
export async function benchScale(databaseUrl: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const limit = '30000';
  const environment = { ...unlimited, QUEUE_LIMIT_STANDARD: limit, QUEUE_LIMIT_PREMIUM: limit };
  const port = String(await freePort());
  const api = await startApi({ ...environment, DATABASE_URL: databaseUrl, PORT: port });
  stack.defer(() => void api.kill());
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  stack.defer(() => client.end());
  const [usual = '', rich = ''] = await signUpUsers(api.address, 2);
  await client.query(
    `INSERT INTO users (id, name) SELECT 'other-' || n, 'Other' FROM generate_series(1, ${OTHERS}) AS numbers (n)`,
  );
  await client.query(
    `INSERT INTO credit_balances SELECT id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, 1000000, 1000000 FROM users
     ON CONFLICT DO NOTHING`,
  );
  const richId = await userOf(client, 1);

  print(`Scale, milliseconds, median and slowest of ${SAMPLES}: ${machine()}`);
  let first: number | undefined;
  for (const [index, step] of STEPS.entries()) {
    await grow(client, STEPS[index - 1], step, richId);
    print(
      `  ${count(step.jobs)} jobs, ${count(step.waiting)} waiting, a user of ${count(step.creations)} creations: ${machine()}`,
    );
    const submit = (token: string) => submitJob(api.address, token, 'Growing tomatoes on a balcony');
    const get = (token: string, path: string) => call(`${api.address}${path}`, token);
    const submitted = await sample('a submission', () => submit(usual));
    first ??= median(submitted);
    print(`    ${'… than with an empty table'.padEnd(32)} ${(median(submitted) / first).toFixed(2)} times`);
    await sample('a submission of that user', () => submit(rich));
    await sampleClaims(client);
    const id = await submit(usual);
    await sample('a queue position', () => get(usual, `/api/jobs/${id}`));
    await sample('a page of jobs', () => get(rich, '/api/jobs?limit=20'));
    const creations = '/api/user/get-user-creations?limit=20';
    await sample('a page of creations', () => get(rich, creations));
    await sample('a search', () => get(rich, `${creations}&search=tomato%207`));
    await client.query(`DELETE FROM jobs WHERE user_id NOT LIKE 'other-%' AND status = 'queued'`);
  }
  print(`  at the end: ${machine()}`);
}

const count = (rows: number) => rows.toLocaleString('en-US');

async function sample(name: string, call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  // Ten calls to warm up, which prepare query plans and fill caches, are not measured.
  for (let index = -10; index < SAMPLES; index += 1) {
    const startedAt = performance.now();
    await call();
    if (index >= 0) times.push(performance.now() - startedAt);
  }
  printTimes(name, times);
  return times;
}

const printTimes = (name: string, times: number[]) =>
  print(`    ${name.padEnd(32)} ${median(times).toFixed(1)} (slowest ${Math.max(...times).toFixed(1)})`);

/** Claims the first jobs of the queue, each in a transaction that is rolled back. */
async function sampleClaims(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM jobs WHERE status = 'queued' AND queue = 'text' ORDER BY lane, virtual_start, created_at, id LIMIT 20`,
  );
  const times: number[] = [];
  await client.query('BEGIN');
  for (const { id } of rows) {
    const startedAt = performance.now();
    await client.query({ name: 'claim', text: 'SELECT claim_job($1, 60, true)', values: [id] });
    times.push(performance.now() - startedAt);
  }
  await client.query('ROLLBACK');
  if (times.length > 0) printTimes('a claim', times);
}

/** The id of a user who signed up. @param offset 0 for the first user */
async function userOf(client: pg.Client, offset: number): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM users WHERE id NOT LIKE 'other-%' ORDER BY created_at OFFSET $1 LIMIT 1`,
    [offset],
  );
  return rows[0]!.id;
}

type Step = (typeof STEPS)[number];

async function grow(client: pg.Client, from: Step | undefined, to: Step, richId: string): Promise<void> {
  const already = from ?? { jobs: 0, waiting: 0, creations: 0 };
  await client.query(
    `INSERT INTO jobs (id, user_id, tool, queue, title, priority, status, stage, result, engine, attempts, created_at, started_at, finished_at)
     SELECT gen_random_uuid(), 'other-' || (1 + n % ${OTHERS}), 'generate-article', 'text', 'An article', 'standard', 'succeeded',
       'done', '{"engine": "offline", "content": "text"}', 'offline', 1, now() - n * interval '1 second',
       now() - n * interval '1 second', now() - n * interval '1 second' + interval '4 seconds'
     FROM generate_series($1::integer + 1, $2::integer) AS numbers (n)`,
    [already.jobs, to.jobs],
  );
  await client.query(
    `INSERT INTO jobs (id, user_id, tool, queue, title, input, priority, lane, virtual_start, created_at, enqueued_at)
     SELECT gen_random_uuid(), 'other-' || (1 + n % ${OTHERS}), 'generate-article', 'text', 'An article',
       '{"prompt": "Tomatoes", "length": 800}', 'standard', 2, 1 + n / ${OTHERS}, now() - interval '1 minute', now() + interval '1 day'
     FROM generate_series($1::integer + 1, $2::integer) AS numbers (n)`,
    [already.waiting, to.waiting],
  );
  await client.query(
    `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine, created_at)
     SELECT gen_random_uuid(), $3, 'generate-article', 'article', 'About tomato ' || n,
       repeat('Some text about tomatoes ' || n || '. ', 20), 'offline', now() - n * interval '1 minute'
     FROM generate_series($1::integer + 1, $2::integer) AS numbers (n)`,
    [already.creations, to.creations, richId],
  );
  await client.query('VACUUM ANALYZE');
}
