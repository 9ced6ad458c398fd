import type { QueryRunner } from 'typeorm';
import { Migration } from './migration.js';

/** Counts of a user's creations by type, which the dashboard shows, without reading the creations. */
export class CreationTypes1700000000032 extends Migration {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // It scans the whole table, and waits until the transactions end that use it.
    await runner.query(`SET statement_timeout = 0`);
    await runner.query(`SET lock_timeout = 0`);
    // One that was interrupted left an index that is not valid.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS creations_types`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY creations_types ON creations (user_id, type) WHERE deleted_at IS NULL`,
    );
    await runner.query(`RESET statement_timeout`);
    await runner.query(`RESET lock_timeout`);
  }
}
