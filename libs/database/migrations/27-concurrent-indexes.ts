import type { QueryRunner } from 'typeorm';
import { createConcurrently, Migration } from './migration.js';

/** Indexes for migrations 25 and 26, and validation of the constraint from migration 23. */
export class ConcurrentIndexes1700000000027 extends Migration {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createConcurrently(runner, {
      creations_made_from: 'creations (made_from) WHERE made_from IS NOT NULL',
      jobs_group: 'jobs (group_id) WHERE group_id IS NOT NULL',
      jobs_batch: 'jobs (batch_id) WHERE batch_id IS NOT NULL',
    });
    await runner.query(`SET statement_timeout = 0`);
    await runner.query(`SET lock_timeout = 0`);
    await runner.query(`ALTER TABLE objects VALIDATE CONSTRAINT objects_kind`);
    await runner.query(`RESET statement_timeout`);
    await runner.query(`RESET lock_timeout`);
  }
}
