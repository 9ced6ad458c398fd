import type { QueryRunner } from 'typeorm';
import { Migration } from './migration.js';

const INDEXES = {
  creations_made_from: 'creations (made_from) WHERE made_from IS NOT NULL',
  jobs_group: 'jobs (group_id) WHERE group_id IS NOT NULL',
  jobs_batch: 'jobs (batch_id) WHERE batch_id IS NOT NULL',
};

/**
 * Scans the tables whose columns migrations 23, 25 and 26 added. Programs read and write them meanwhile, since each
 * statement is alone and takes no lock that they wait for.
 */
export class ConcurrentIndexes1700000000027 extends Migration {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // It scans whole tables, and waits until the transactions end that use them.
    await runner.query(`SET statement_timeout = 0`);
    await runner.query(`SET lock_timeout = 0`);
    for (const [name, definition] of Object.entries(INDEXES)) {
      // One that was interrupted left an index that is not valid.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${definition}`);
    }
    await runner.query(`ALTER TABLE objects VALIDATE CONSTRAINT objects_kind`);
    await runner.query(`RESET statement_timeout`);
    await runner.query(`RESET lock_timeout`);
  }
}
