import type { QueryRunner } from 'typeorm';
import { Migration } from './migration.js';

/** The text that a job rewrites a part of. */
export class RewrittenTexts1700000000035 extends Migration {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE jobs ADD COLUMN IF NOT EXISTS source_id uuid`);
    // It scans the whole table, and waits until the transactions end that use it.
    await runner.query(`SET statement_timeout = 0`);
    await runner.query(`SET lock_timeout = 0`);
    // One that was interrupted left an index that is not valid.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS jobs_source`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY jobs_source ON jobs (source_id) WHERE source_id IS NOT NULL`,
    );
    await runner.query(`RESET statement_timeout`);
    await runner.query(`RESET lock_timeout`);
  }
}
