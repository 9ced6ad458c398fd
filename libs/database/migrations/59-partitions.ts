import { setTimeout } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import { addPartitions } from '../functions/add-partitions.sql.js';
import { forgetDeletedJobs } from '../functions/forget-deleted-jobs.sql.js';
import { recordProviderCalls } from '../functions/record-provider-calls.sql.js';
import { createConcurrently, Migration, restoreTimeLimits } from './migration.js';

interface PartitionedTable {
  table: string;
  column: string;
  /** Tables that the new constraints of this one lock. */
  related: string[];
  /** Statements while the table is locked, before it becomes a partition. */
  before: string[];
  /** Statements on the partitioned table. */
  after: string[];
}

const TRIES = 100;
/** Programs that waited behind a lock go on meanwhile. */
const TRY_AGAIN_MS = 2_000;
/** SQLSTATEs: lock_not_available, deadlock_detected. */
const LOCK_ERRORS = new Set<string | undefined>(['55P03', '40P01']);

/**
 * Partitions jobs and calls of AI providers by month. No row is copied: the table becomes the first partition, with all rows
 * before its end. What reads all rows runs before the tables are locked.
 */
export class Partitions1700000000059 extends Migration {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    if (!(await isPartitioned(runner, 'jobs'))) {
      await createConcurrently(runner, {
        jobs_idempotency_next: 'jobs (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL',
      });
      await partitionByMonth(runner, {
        table: 'jobs',
        column: 'created_at',
        related: ['creations', 'job_previews', 'batches'],
        before: [
          `ALTER TABLE creations DROP CONSTRAINT creations_job_id_fkey`,
          `ALTER TABLE job_previews DROP CONSTRAINT job_previews_job_id_fkey`,
          // Not unique over all partitions: submissions look the key up while they hold the lock of the user's row.
          `DROP INDEX jobs_idempotency`,
          `ALTER INDEX jobs_idempotency_next RENAME TO jobs_idempotency`,
        ],
        after: [
          forgetDeletedJobs,
          `CREATE TRIGGER jobs_forget_deleted AFTER DELETE ON jobs REFERENCING OLD TABLE AS deleted_jobs
           FOR EACH STATEMENT EXECUTE FUNCTION forget_deleted_jobs()`,
        ],
      });
    }
    if (!(await isPartitioned(runner, 'provider_calls')))
      await partitionByMonth(runner, {
        table: 'provider_calls',
        column: 'started_at',
        related: ['api_keys'],
        before: [],
        after: [recordProviderCalls],
      });
  }
}

async function isPartitioned(runner: QueryRunner, table: string): Promise<boolean> {
  const found = (await runner.query(`SELECT FROM pg_partitioned_table WHERE partrelid = $1::regclass`, [
    table,
  ])) as unknown[];
  return found.length > 0;
}

async function partitionByMonth(runner: QueryRunner, partitioned: PartitionedTable): Promise<void> {
  const { table, column } = partitioned;
  await createConcurrently(runner, { [`${table}_next_pkey`]: `${table} (id, ${column})` }, 'UNIQUE');
  // A month ahead: an interrupted migration leaves the check, which must not refuse rows before the migration runs again.
  const [first] = (await runner.query(
    `SELECT to_char(month, 'YYYY_MM') AS name, ((month + interval '1 month') AT TIME ZONE 'UTC')::text AS until
     FROM date_trunc('month', (now() + interval '1 month') AT TIME ZONE 'UTC') AS month`,
  )) as [{ name: string; until: string }];
  // Longer than the second after which PostgreSQL cancels an autovacuum that others wait for.
  await runner.query(`SET lock_timeout = '2s'`);
  await runner.query(`SET statement_timeout = 0`);
  await repeatWhileLocked(() =>
    runner.query(
      `ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${table}_first,
       ADD CONSTRAINT ${table}_first CHECK (${column} < '${first.until}') NOT VALID`,
    ),
  );
  await repeatWhileLocked(() => runner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${table}_first`));
  await repeatWhileLocked(() => attachAsFirst(runner, partitioned, `${table}_${first.name}`, first.until));
  await repeatWhileLocked(() => runner.query(`ANALYZE ${table}`));
  await restoreTimeLimits(runner);
}

async function repeatWhileLocked(change: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await change();
      return;
    } catch (error) {
      if (tries === TRIES || !LOCK_ERRORS.has((error as { code?: string }).code)) throw error;
      await setTimeout(TRY_AGAIN_MS);
    }
  }
}

/** Has no effect if a program uses one of the tables for too long, since nobody can use them while this waits. */
async function attachAsFirst(
  runner: QueryRunner,
  { table, column, related, before, after }: PartitionedTable,
  partition: string,
  until: string,
): Promise<void> {
  await runner.startTransaction();
  try {
    // No statement of a program waits for this lock. It ends autovacuums, and none begins.
    const all = ['users', table, ...related].join(', ');
    await runner.query(`LOCK TABLE ${all} IN SHARE UPDATE EXCLUSIVE MODE`);
    // Less than PostgreSQL's deadlock_timeout, so that a deadlock ends this transaction and none of a program.
    await runner.query(`SET LOCAL lock_timeout = '500ms'`);
    // Users first, as in submissions, which then wait for the table.
    await runner.query(`LOCK TABLE users IN ACCESS EXCLUSIVE MODE`);
    await runner.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    // Without waiting: a transaction may have one of these and wait for the others.
    await runner.query(`LOCK TABLE ${related.join(', ')} IN ACCESS EXCLUSIVE MODE NOWAIT`);
    for (const statement of before) await runner.query(statement);
    const parts = await readParts(runner, table);
    await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey`);
    await runner.query(`ALTER TABLE ${table} ADD PRIMARY KEY USING INDEX ${table}_next_pkey`);
    for (const { drop } of parts) if (drop !== null) await runner.query(drop);
    await runner.query(`ALTER TABLE ${table} RENAME TO ${partition}`);
    await runner.query(`ALTER INDEX ${table}_next_pkey RENAME TO ${partition}_pkey`);
    for (const { name, isIndex } of parts)
      if (isIndex) await runner.query(`ALTER INDEX ${name} RENAME TO ${name.replace(table, partition)}`);
    await runner.query(
      `CREATE TABLE ${table} (LIKE ${partition} INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (${column})`,
    );
    await runner.query(
      `ALTER TABLE ${table} DROP CONSTRAINT ${table}_first, ADD PRIMARY KEY (id, ${column})`,
    );
    for (const { create } of parts) await runner.query(create);
    await runner.query(
      `ALTER TABLE ${table} ATTACH PARTITION ${partition} FOR VALUES FROM (MINVALUE) TO ('${until}')`,
    );
    await runner.query(`ALTER TABLE ${partition} DROP CONSTRAINT ${table}_first`);
    await runner.query(`CREATE TABLE ${table}_default PARTITION OF ${table} DEFAULT`);
    await runner.query(addPartitions);
    await runner.query(`SELECT add_partitions($1, $2)`, [table, column]);
    for (const statement of after) await runner.query(statement);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

interface TablePart {
  name: string;
  isIndex: boolean;
  /** Statement that creates the same part of the partitioned table. */
  create: string;
  /** Statement that drops the part of the partition, which gets it from the partitioned table. */
  drop: string | null;
}

/** Indexes without a constraint, foreign keys and triggers of a table. */
const readParts = (runner: QueryRunner, table: string) =>
  runner.query(
    `SELECT relname AS name, true AS "isIndex", pg_get_indexdef(indexrelid) AS create, NULL AS drop
     FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE indrelid = $1::regclass AND NOT indisunique
     UNION ALL
     SELECT conname, false, format('ALTER TABLE %s ADD CONSTRAINT %I %s', $1, conname, pg_get_constraintdef(oid)), NULL
     FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'f'
     UNION ALL
     SELECT tgname, false, pg_get_triggerdef(oid), format('DROP TRIGGER %I ON %s', tgname, $1)
     FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal`,
    [table],
  ) as Promise<TablePart[]>;
