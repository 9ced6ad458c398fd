import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A change of the schema. It is never reverted: the version before runs on the newer schema too. */
export abstract class Migration implements MigrationInterface {
  abstract up(runner: QueryRunner): Promise<void>;

  down(): Promise<void> {
    throw new Error('Migrations are not reverted: see docs/operations.md.');
  }
}

/** A migration of statements without conditions. */
export const statements = (...list: string[]) =>
  class extends Migration {
    async up(runner: QueryRunner): Promise<void> {
      for (const statement of list) await runner.query(statement);
    }
  };

/**
 * Creates indexes while programs read and write the tables, outside of a transaction. It scans whole tables, and waits until
 * the transactions end that use them.
 * @param indexes the table, columns and condition of each, by name
 */
export async function createConcurrently(
  runner: QueryRunner,
  indexes: Record<string, string>,
): Promise<void> {
  await runner.query(`SET statement_timeout = 0`);
  await runner.query(`SET lock_timeout = 0`);
  for (const [name, definition] of Object.entries(indexes)) {
    // An interrupted creation leaves an index that is not valid.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${definition}`);
  }
  await runner.query(`RESET statement_timeout`);
  await runner.query(`RESET lock_timeout`);
}
