import type pg from 'pg';
import { z } from 'zod';
import type { DataSource } from 'typeorm';
import { runAll } from '#libs/resilience/policies.js';
import { waitLonger } from './pool-options.js';
import { execute, isStatementEnded, queryRows, type Database } from './sql.js';

/** Tables that are partitioned by month (UTC), with the column of the month. */
const PARTITIONED = { jobs: 'created_at', provider_calls: 'started_at' } as const;
type PartitionedTable = keyof typeof PARTITIONED;

/**
 * A change of partitions locks the whole table, and statements that come later wait behind it. While it cannot have the lock, for
 * example during a backup, it gives up.
 */
const LOCK_TIMEOUT = '500ms';
const LONG_STATEMENT_MS = 3_600_000;

/**
 * Adds partitions, marks ended months and makes statistics.
 * @throws Error at the end if a partition is missing, so that `MaintenanceOverdue` fires if it stays missing
 */
export async function maintainPartitions(dataSource: DataSource): Promise<void> {
  const problems: string[] = [];
  await runAll([
    () => addPartitions(dataSource, (problem) => problems.push(problem)),
    () => markEndedMonths(dataSource),
    () => analyzePartitioned(dataSource),
  ]);
  if (problems.length > 0) throw new Error(problems.join('. '));
}

/**
 * Adds the partitions of this month and, two days before its end, of the next.
 * @param warn called if one was not added, and for rows of other months that have no partition
 */
export async function addPartitions(dataSource: DataSource, warn: (message: string) => void): Promise<void> {
  for (const [table, column] of Object.entries(PARTITIONED)) {
    if (!(await withLockTimeout(dataSource, `SELECT add_partitions($1, $2)`, [table, column])))
      warn(
        `A missing partition of ${table} was not added: another statement holds a lock on the table, or the change took too long`,
      );
    else if ((await execute(dataSource, `SELECT FROM ${table}_default LIMIT 1`)) > 0)
      warn(`${table}_default has rows of a month that has no partition`);
  }
}

/** Autovacuum makes no statistics of a partitioned table, only of its partitions. */
export async function analyzePartitioned(dataSource: DataSource): Promise<void> {
  for (const table of Object.keys(PARTITIONED)) {
    const recent = `SELECT FROM pg_stat_user_tables WHERE relid = to_regclass($1) AND last_analyze > now() - interval '1 day'`;
    if ((await execute(dataSource, recent, [table])) === 0) await executeLong(dataSource, `ANALYZE ${table}`);
  }
}

/** Days after the end of a month, so that no clock that moves back adds a job to it. */
const ENDED_AFTER_DAYS = 2;

/**
 * Adds a check to past months of jobs that all ended. PostgreSQL then leaves the partition out of statements about unfinished jobs,
 * which are the most frequent ones.
 */
export async function markEndedMonths(dataSource: DataSource): Promise<void> {
  for (const partition of await findPastPartitions(dataSource, 'jobs', ENDED_AFTER_DAYS)) {
    const [check] = await queryRows(
      dataSource,
      z.object({ isValid: z.boolean() }),
      `SELECT convalidated AS "isValid" FROM pg_constraint WHERE conrelid = to_regclass($1) AND conname = 'jobs_ended'`,
      [partition],
    );
    if (check?.isValid) continue;
    if (!check) {
      const unfinished = `SELECT FROM ${partition} WHERE status IN ('queued', 'running') LIMIT 1`;
      if ((await executeLong(dataSource, unfinished)) > 0) continue;
      const add = `ADD CONSTRAINT jobs_ended CHECK (status IN ('succeeded', 'failed', 'cancelled')) NOT VALID`;
      if (!(await withLockTimeout(dataSource, `ALTER TABLE ${partition} ${add}`))) continue;
    }
    await executeLong(dataSource, `ALTER TABLE ${partition} VALIDATE CONSTRAINT jobs_ended`);
  }
}

/**
 * Changes partitions. @returns false if another statement holds a lock on the table, or the change took too long. The next run tries
 *   it again
 */
async function withLockTimeout(
  dataSource: DataSource,
  statement: string,
  parameters: unknown[] = [],
): Promise<boolean> {
  try {
    await dataSource.transaction(async (transaction) => {
      await execute(transaction, `SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
      await execute(transaction, statement, parameters);
    });
    return true;
  } catch (error) {
    if (!isStatementEnded(error)) throw error;
    return false;
  }
}

/** Runs a statement that may read a whole month, for up to {@link LONG_STATEMENT_MS}. */
const executeLong = (dataSource: DataSource, statement: string): Promise<number> =>
  dataSource.transaction(async (transaction) => {
    const client = (await transaction.queryRunner!.connect()) as pg.ClientBase;
    await execute(transaction, `SET LOCAL statement_timeout = ${LONG_STATEMENT_MS}`);
    return waitLonger(client, LONG_STATEMENT_MS, () => execute(transaction, statement));
  });

/**
 * Partitions of months that ended some days ago, the oldest first. Without the default partition.
 * @returns names of tables
 */
async function findPastPartitions(
  database: Database,
  table: PartitionedTable,
  days: number,
): Promise<string[]> {
  const found = await queryRows(
    database,
    z.object({ name: z.string() }),
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = to_regclass($1::text) AND relname <> $1::text || '_default'
       AND (to_date(right(relname, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC' < now() - make_interval(days => $2)
     ORDER BY relname`,
    [table, days],
  );
  return found.map(({ name }) => name);
}

/**
 * Drops the partitions whose rows are all older than some days, each also if one before could not be dropped.
 * @param keptRows SQL condition of rows that must stay, and their partition with them
 */
export async function dropPastPartitions(
  dataSource: DataSource,
  table: PartitionedTable,
  { days, keptRows = 'false' }: { days: number; keptRows?: string },
  beforeDrop?: (partition: string) => Promise<void>,
): Promise<void> {
  const partitions = await findPastPartitions(dataSource, table, days);
  await runAll(
    partitions.map((partition) => async () => {
      const left = await executeLong(dataSource, `SELECT FROM ${partition} WHERE ${keptRows} LIMIT 1`);
      if (left > 0) return;
      await beforeDrop?.(partition);
      await withLockTimeout(dataSource, `DROP TABLE IF EXISTS ${partition}`);
    }),
  );
}
