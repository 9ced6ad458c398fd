import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TIME_LIMITS } from '#libs/config/database-limits.js';

/** A schema change. Migrations are never reverted, since the previous version also runs on the newer schema. */
export abstract class Migration implements MigrationInterface {
  abstract up(runner: QueryRunner): Promise<void>;

  down(): Promise<void> {
    throw new Error('Migrations are not reverted: see docs/operations.md.');
  }
}

/** Creates a migration that runs a list of statements. */
export const statements = (...list: string[]) =>
  class extends Migration {
    async up(runner: QueryRunner): Promise<void> {
      for (const statement of list) await runner.query(statement);
    }
  };

/**
 * Creates indexes without blocking reads and writes. Must run outside a transaction. CREATE INDEX CONCURRENTLY scans
 * the whole table and waits for open transactions, so both timeouts are disabled.
 * @param indexes table, columns and condition of each index, by name
 */
export async function createConcurrently(
  runner: QueryRunner,
  indexes: Record<string, string>,
  kind: '' | 'UNIQUE' = '',
): Promise<void> {
  await runner.query(`SET statement_timeout = 0`);
  await runner.query(`SET lock_timeout = 0`);
  for (const [name, definition] of Object.entries(indexes)) {
    // An interrupted CREATE INDEX CONCURRENTLY leaves an invalid index, so drop it first.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await runner.query(`CREATE ${kind} INDEX CONCURRENTLY ${name} ON ${definition}`);
  }
  await restoreTimeLimits(runner);
}

/** Sets the limits of a connection to those of the pool. RESET would set those of the server, which has none. */
export async function restoreTimeLimits(runner: QueryRunner): Promise<void> {
  await runner.query(`SET statement_timeout = ${TIME_LIMITS.statementMs}`);
  await runner.query(`SET lock_timeout = ${TIME_LIMITS.lockMs}`);
}
