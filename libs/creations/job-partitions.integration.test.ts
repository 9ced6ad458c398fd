import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  addPartitions,
  analyzePartitioned,
  maintainPartitions,
  dropPastPartitions,
  markEndedMonths,
} from '#libs/database/partitions.js';
import { createDataSource } from '#libs/database/data-source.js';
import { deleteUser } from '#libs/accounts/delete-user.js';
import { readUserRows, readUserTables } from '#libs/operators/user-data.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.js';
import { until } from '../../test/support/until.js';
import { applyRetention } from './retention.js';

let platform: JobPlatform;
beforeAll(async () => {
  platform = await openJobPlatform();
});
afterAll(() => platform.close());

const warnings: string[] = [];
const addMonths = () => addPartitions(platform.dataSource, (message) => warnings.push(message));
beforeEach(() => void warnings.splice(0));

const retain = (retentionDays = 90) => applyRetention(platform.dataSource, platform.files, { retentionDays });

/** Name of the partition of the month that was, or will be, some months from now. */
async function monthAt(months: number, table = 'jobs'): Promise<string> {
  const [row] = await platform.sql<{ name: string }>(
    `SELECT $2 || to_char(now() AT TIME ZONE 'UTC' + make_interval(months => $1), '_YYYY_MM') AS name`,
    [months, table],
  );
  return row!.name;
}

const partitionsOf = async (table: string): Promise<string[]> =>
  (
    await platform.sql<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1`,
      [table],
    )
  ).map(({ name }) => name);

const partitionOf = async (jobId: string): Promise<string> =>
  (
    await platform.sql<{ name: string }>(`SELECT tableoid::regclass::text AS name FROM jobs WHERE id = $1`, [
      jobId,
    ])
  )[0]!.name;

/** Replaces all partitions but the default one. @param bounds SQL of the times between them, and where the last one ends */
async function partitionBy(bounds: Record<string, string>, table = 'jobs'): Promise<void> {
  await platform.sql(`DELETE FROM ${table}`);
  for (const name of await partitionsOf(table))
    if (!name.endsWith('_default')) await platform.sql(`DROP TABLE ${name}`);
  let from = 'MINVALUE';
  for (const [name, until] of Object.entries(bounds)) {
    const [row] = await platform.sql<{ time: string }>(`SELECT (${until})::timestamptz::text AS time`);
    await platform.sql(
      `CREATE TABLE ${name} PARTITION OF ${table} FOR VALUES FROM (${from}) TO ('${row!.time}')`,
    );
    from = `'${row!.time}'`;
  }
}

/** SQL: the start of the month that was, or will be, some months from now. */
const startOf = (months: number) =>
  `date_trunc('month', now() AT TIME ZONE 'UTC' + make_interval(months => ${months})) AT TIME ZONE 'UTC'`;

/** Moves a job, and its end if it has ended, to the middle of another month. */
const moveTo = (months: number, ...ids: string[]) =>
  platform.sql(
    `UPDATE jobs SET created_at = ${startOf(months)} + interval '14 days',
       finished_at = CASE WHEN finished_at IS NOT NULL THEN ${startOf(months)} + interval '14 days 1 hour' END
     WHERE id = ANY ($1::uuid[])`,
    [ids],
  );

async function succeed(userId: string, content = 'x'): Promise<string> {
  const { id } = await platform.submit(userId);
  await platform.lifecycle.claim(id, 10);
  await platform.lifecycle.succeed(
    { jobId: id, attempt: 1 },
    { result: { engine: 'offline' }, creation: { type: 'article', prompt: 'old', content } },
  );
  return id;
}

describe('jobs of several months', () => {
  let months: string[];
  beforeEach(async () => {
    months = [await monthAt(-5), await monthAt(-4), await monthAt(-1), await monthAt(0)];
    await partitionBy({
      [months[0]!]: startOf(-4),
      [months[1]!]: startOf(-3),
      [months[2]!]: startOf(0),
      [months[3]!]: startOf(1),
    });
  });

  it('drops the months whose jobs all ended before the retention time, and keeps their creations', async () => {
    const user = await platform.user();
    const [oldest, last, now] = [await succeed(user, 'oldest'), await succeed(user), await succeed(user)];
    await moveTo(-5, oldest);
    await moveTo(-1, last);
    expect(await partitionOf(oldest)).toBe(months[0]);
    await retain(85);
    expect(await partitionsOf('jobs')).toEqual([months[2], months[3], 'jobs_default'].sort());
    expect(
      (await platform.sql<{ id: string }>('SELECT id FROM jobs ORDER BY created_at')).map(({ id }) => id),
    ).toEqual([last, now]);
    expect(
      await platform.sql('SELECT job_id, content FROM creations WHERE user_id = $1 ORDER BY created_at', [
        user,
      ]),
    ).toEqual([
      { job_id: null, content: 'oldest' },
      ...[last, now].map((job_id) => ({ job_id, content: 'x' })),
    ]);
  });

  it('keeps a month with a job that has not ended, or ended late, and deletes the other jobs a month later', async () => {
    const user = await platform.user();
    const [old, waiting, late, younger] = [
      await succeed(user, 'old'),
      (await platform.submit(user)).id,
      await succeed(user),
      await succeed(user),
    ];
    await moveTo(-5, old, waiting);
    await moveTo(-4, late);
    await platform.sql(
      `UPDATE jobs SET created_at = now() - interval '110 days', finished_at = now() - interval '110 days' WHERE id = $1`,
      [younger],
    );
    await platform.sql(`UPDATE jobs SET finished_at = now() - interval '1 day' WHERE id = $1`, [late]);
    await retain(85);
    expect(await partitionsOf('jobs')).toEqual([...months, 'jobs_default'].sort());
    expect((await platform.sql<{ id: string }>('SELECT id FROM jobs')).map(({ id }) => id).sort()).toEqual(
      [waiting, late, younger].sort(),
    );
    expect(await platform.sql(`SELECT job_id FROM creations WHERE content = 'old'`)).toEqual([
      { job_id: null },
    ]);
  });

  it('sets the job of creations to NULL before their month is dropped', async () => {
    const user = await platform.user();
    await platform.sql(
      `WITH old AS (
         INSERT INTO jobs (id, user_id, tool, queue, title, priority, status, result, created_at, finished_at)
         SELECT gen_random_uuid(), $1, 'generate-article', 'text', 'Rivers', 'standard', 'succeeded', '{}', time, time
         FROM generate_series(1, 2500), LATERAL (SELECT ${startOf(-5)} + interval '14 days') AS month (time)
         RETURNING id)
       INSERT INTO creations (id, user_id, job_id, tool, type, prompt, content, engine)
       SELECT gen_random_uuid(), $1, id, 'generate-article', 'article', 'many', 'x', 'offline' FROM old`,
      [user],
    );
    await retain();
    expect(await partitionsOf('jobs')).not.toContain(months[0]);
    expect(
      await platform.sql(
        `SELECT count(*)::integer, count(job_id)::integer AS jobs FROM creations WHERE prompt = 'many'`,
      ),
    ).toEqual([{ count: 2500, jobs: 0 }]);
  });

  it('drops other months and deletes other rows although months cannot be dropped, and reports the first error', async () => {
    await moveTo(-5, await succeed(await platform.user()));
    const calls = await monthAt(-5, 'provider_calls');
    await partitionBy({ [calls]: startOf(-4) }, 'provider_calls');
    await platform.sql(`CREATE VIEW calls_report AS SELECT id FROM ${calls}`);
    await platform.sql(`CREATE VIEW report AS SELECT id FROM ${months[0]}`);
    await platform.sql(
      `INSERT INTO worker_slots (worker_id, queue, slots, seen_at) VALUES ('past', 'text', 1, now() - interval '2 hours')`,
    );
    await expect(retain(85)).rejects.toThrow(`cannot drop table ${calls} because other objects depend on it`);
    await platform.sql('DROP VIEW report, calls_report');
    expect(await partitionsOf('jobs')).toEqual([months[0], months[2], months[3], 'jobs_default'].sort());
    expect(await platform.sql('SELECT FROM jobs')).toEqual([]);
    expect(await platform.sql('SELECT FROM worker_slots')).toEqual([]);
  });

  it('reads a month for longer than other statements may take', async () => {
    await succeed(await platform.user()).then((id) => moveTo(-5, id));
    const { options } = platform.dataSource as unknown as { options: { url: string } };
    const limited = await createDataSource({
      url: options.url,
      timeLimits: { statementMs: 2_000, lockMs: 2_000, graceMs: 2_000 },
    }).initialize();
    try {
      const keptRows = `(SELECT pg_sleep(5)) IS NOT NULL`;
      await dropPastPartitions(limited, 'jobs', { days: 85, keptRows });
      expect(await partitionsOf('jobs')).toContain(months[0]);
      await expect(limited.query('SELECT pg_sleep(5)')).rejects.toThrow(/statement timeout/);
    } finally {
      await limited.destroy();
    }
  });

  it('marks ended months, so that statements about unfinished jobs leave them out', async () => {
    const user = await platform.user();
    const [old, waiting] = [await succeed(user), (await platform.submit(user)).id];
    await moveTo(-5, old);
    await moveTo(-4, waiting);
    const plan = async () =>
      JSON.stringify(
        await platform.sql(`EXPLAIN SELECT FROM jobs WHERE id = '${waiting}' AND status = 'running'`),
      );
    await markEndedMonths(platform.dataSource);
    expect(await plan()).not.toContain(months[0]);
    expect(await plan()).toContain(months[1]);
    await platform.lifecycle.cancel(user, waiting);
    await markEndedMonths(platform.dataSource);
    expect(await plan()).not.toContain(months[1]);
    expect(await plan()).toContain(months[3]);
  });

  it('deletes jobs by age if they are stored for less than a month', async () => {
    const user = await platform.user();
    const [old, young] = [await succeed(user), await succeed(user)];
    await platform.sql(
      `UPDATE jobs SET created_at = created_at - interval '8 days', finished_at = finished_at - interval '8 days' WHERE id = $1`,
      [old],
    );
    await retain(7);
    expect(await platform.sql('SELECT id FROM jobs')).toEqual([{ id: young }]);
  });

  it('exports and deletes the jobs of a user in all months, with their previews', async () => {
    const user = await platform.user();
    const ids = [await succeed(user), await succeed(user), await succeed(user)] as const;
    await moveTo(-5, ids[0]);
    await moveTo(-1, ids[1]);
    const { id: running } = await platform.submit(user);
    await platform.lifecycle.claim(running, 10);
    await platform.lifecycle.storePreview({ jobId: running, attempt: 1 }, 0, Buffer.from('image'));
    const tables = await readUserTables(platform.dataSource);
    expect(
      tables
        .map(({ table }) => table)
        .filter((table) => /^(jobs|provider_calls)/.test(table))
        .sort(),
    ).toEqual(['jobs', 'provider_calls']);
    const exported: unknown[] = [];
    for (const table of tables.filter(({ table: name }) => name === 'jobs' || name === 'job_previews'))
      for await (const row of readUserRows(platform.dataSource, table, user))
        exported.push(row['id'] ?? row['job_id']);
    expect(exported.sort()).toEqual([...ids, running, running].sort());
    await deleteUser(platform.dataSource, platform.files, user);
    expect(await platform.sql('SELECT id FROM jobs')).toEqual([]);
    expect(await platform.sql('SELECT job_id FROM job_previews')).toEqual([]);
  });
});

describe('a month that changes', () => {
  it('returns the job of an Idempotency-Key in the earlier partition', async () => {
    const user = await platform.user();
    await partitionBy({ [await monthAt(-1)]: `now() - interval '1 hour'`, [await monthAt(0)]: startOf(2) });
    const idempotencyKey = randomUUID();
    const { id } = await platform.submit(user, { idempotencyKey });
    await platform.sql(`UPDATE jobs SET created_at = now() - interval '2 hours' WHERE id = $1`, [id]);
    expect(await partitionOf(id)).toBe(await monthAt(-1));
    expect((await platform.submit(user, { idempotencyKey })).id).toBe(id);
    expect(await platform.sql('SELECT id FROM jobs')).toEqual([{ id }]);
  });

  it('accepts jobs without a partition of the month, and moves them once it is added', async () => {
    const user = await platform.user();
    await partitionBy({ [await monthAt(-1)]: startOf(0) });
    const done = await succeed(user);
    const { id: waiting } = await platform.submit(user);
    expect(await partitionOf(waiting)).toBe('jobs_default');
    await addMonths();
    const [inTwoDays] = await platform.sql<{ name: string }>(
      `SELECT 'jobs' || to_char((now() + interval '2 days') AT TIME ZONE 'UTC', '_YYYY_MM') AS name`,
    );
    const partitions = [...new Set([await monthAt(-1), await monthAt(0), inTwoDays!.name, 'jobs_default'])];
    expect(await partitionsOf('jobs')).toEqual(partitions.sort());
    for (const id of [done, waiting]) expect(await partitionOf(id)).toBe(await monthAt(0));
    expect(await platform.sql('SELECT job_id FROM creations WHERE user_id = $1', [user])).toEqual([
      { job_id: done },
    ]);
    expect(await platform.lifecycle.claim(waiting, 10)).toMatchObject({ kind: 'claimed' });
    await addMonths();
    expect(await partitionsOf('jobs')).toEqual(partitions);
    expect(warnings).toEqual([]);
  });

  it('warns of a table in use, and of jobs of another month that have no partition', async () => {
    const user = await platform.user();
    await partitionBy({ [await monthAt(-5)]: startOf(-4) });
    await moveTo(-2, await succeed(user));
    const backup = platform.dataSource.createQueryRunner();
    await backup.startTransaction();
    await backup.query('LOCK TABLE jobs IN ACCESS SHARE MODE');
    await addMonths();
    await backup.rollbackTransaction();
    await backup.release();
    expect(warnings).toEqual([
      'A missing partition of jobs was not added: another statement holds a lock on the table, or the change took too long',
    ]);
    await addMonths();
    const problem = 'jobs_default has rows of a month that has no partition';
    expect(warnings.slice(1)).toEqual([problem]);
    await expect(maintainPartitions(platform.dataSource)).rejects.toThrow(problem);
  });
});

it('drops months of calls of AI providers, and keeps later ones', async () => {
  const [old, recent] = [await monthAt(-5, 'provider_calls'), await monthAt(0, 'provider_calls')];
  await partitionBy({ [old]: startOf(-4), [recent]: startOf(1) }, 'provider_calls');
  for (const months of [-5, -1])
    await platform.sql(
      `INSERT INTO provider_calls (id, job_id, attempt, plan, tool, model, provider, kind, status, started_at)
       VALUES (gen_random_uuid(), gen_random_uuid(), 1, 'free', 'generate-article', 'm', 'main', 'text', 'ok', ${startOf(months)} + interval '14 days')`,
    );
  await retain();
  expect(await partitionsOf('provider_calls')).toEqual([recent, 'provider_calls_default'].sort());
  expect(await platform.sql('SELECT FROM provider_calls')).toHaveLength(1);
});

it('makes statistics of the partitioned tables, once a day', async () => {
  const analyzed = () =>
    platform.sql<{ name: string; times: number }>(
      `SELECT relname AS name, analyze_count::integer AS times FROM pg_stat_user_tables
       WHERE relname IN ('jobs', 'provider_calls') ORDER BY 1`,
    );
  await analyzePartitioned(platform.dataSource);
  await until('the statistics', async () => (await analyzed()).every(({ times }) => times > 0));
  const once = await analyzed();
  await analyzePartitioned(platform.dataSource);
  expect(await analyzed()).toEqual(once);
});
