import pg from 'pg';
import { print } from '../stack/terminal.ts';
import { machine } from './figures.ts';

const JOBS = 200_000;
const JOBS_AT_ONCE = 1_000;
const EXPIRED = `created_at < now() - interval '90 days' AND finished_at < now() - interval '90 days'`;

/** Measures the removal of a month of old jobs: by DELETE, as retention does within a month, and by dropping the month's partition. */
export async function benchRetention(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO users (id, name) SELECT 'user-' || n, 'User' FROM generate_series(1, 1000) AS numbers (n)`,
    );
    const { partition, first, next } = await addPastMonth(client);
    print(`Retention of ${JOBS.toLocaleString('en-US')} jobs: ${machine()}`);
    await addOldJobs(client, first);
    await measure(client, 'DELETE', partition, async () => {
      const text = `DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE ${EXPIRED} LIMIT ${JOBS_AT_ONCE} FOR UPDATE SKIP LOCKED)`;
      while ((await client.query(text)).rowCount === JOBS_AT_ONCE);
    });
    await client.query(`DROP TABLE ${partition}`);
    await client.query(
      `CREATE TABLE ${partition} PARTITION OF jobs FOR VALUES FROM ('${first}') TO ('${next}')`,
    );
    await addOldJobs(client, first);
    await measure(
      client,
      'drop',
      partition,
      async () => void (await client.query(`DROP TABLE ${partition}`)),
    );
    print(`  at the end: ${machine()}`);
  } finally {
    await client.end();
  }
}

interface Month {
  partition: string;
  first: string;
  next: string;
}

/** Replaces the first partition of an empty database, which has all earlier months, by one month. */
async function addPastMonth(client: pg.Client): Promise<Month> {
  const { rows } = await client.query<Month & { earliest: string }>(
    `SELECT 'jobs' || to_char(month, '_YYYY_MM') AS partition, (month AT TIME ZONE 'UTC')::text AS first,
       ((month + interval '1 month') AT TIME ZONE 'UTC')::text AS next,
       (SELECT min(inhrelid::regclass::text) FROM pg_inherits WHERE inhparent = 'jobs'::regclass) AS earliest
     FROM date_trunc('month', now() AT TIME ZONE 'UTC' - interval '6 months') AS month`,
  );
  const { partition, first, next, earliest } = rows[0]!;
  await client.query(`DROP TABLE ${earliest}`);
  await client.query(
    `CREATE TABLE ${partition} PARTITION OF jobs FOR VALUES FROM ('${first}') TO ('${next}')`,
  );
  return { partition, first, next };
}

async function addOldJobs(client: pg.Client, first: string): Promise<void> {
  await client.query(
    `INSERT INTO jobs (id, user_id, tool, queue, title, priority, status, stage, result, engine, attempts, created_at, started_at, finished_at)
     SELECT gen_random_uuid(), 'user-' || (1 + n % 1000), 'generate-article', 'text', 'An article', 'standard', 'succeeded',
       'done', jsonb_build_object('engine', 'offline', 'content', repeat('Some text. ', 50)), 'offline', 1, time, time,
       time + interval '4 seconds'
     FROM generate_series(1, ${JOBS}) AS numbers (n), LATERAL (SELECT $1::timestamptz + n * interval '10 seconds') AS created (time)`,
    [first],
  );
  await client.query('VACUUM ANALYZE jobs');
  await client.query('CHECKPOINT');
}

async function measure(
  client: pg.Client,
  way: string,
  partition: string,
  remove: () => Promise<void>,
): Promise<void> {
  const before = await readLog(client);
  const startedAt = performance.now();
  await remove();
  const seconds = (performance.now() - startedAt) / 1_000;
  const megabytes =
    Number(
      (
        await client.query<{ bytes: string }>(`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), $1) AS bytes`, [
          before,
        ])
      ).rows[0]!.bytes,
    ) / 1e6;
  // Statistics are written when the connection is idle.
  await client.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await client.query<{ dead: string | null; bytes: string | null }>(
    `SELECT (SELECT n_dead_tup FROM pg_stat_user_tables WHERE relname = $1) AS dead, pg_total_relation_size(to_regclass($1)) AS bytes`,
    [partition],
  );
  const { dead, bytes } = rows[0]!;
  print(
    `  ${way.padEnd(8)} ${seconds.toFixed(2)} s, ${megabytes.toFixed(1)} MB of WAL, ${Number(dead ?? 0).toLocaleString('en-US')} dead rows, ` +
      `${(Number(bytes ?? 0) / 1e6).toFixed(0)} MB left on disk`,
  );
}

const readLog = async (client: pg.Client): Promise<string> =>
  (await client.query<{ position: string }>('SELECT pg_current_wal_lsn() AS position')).rows[0]!.position;
