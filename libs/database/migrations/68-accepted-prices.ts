import type { QueryRunner } from 'typeorm';
import { Migration } from './migration.js';

/** Prices at which jobs, batches and steps of flows are accepted, also those that are not charged. Null for earlier ones. */
export class AcceptedPrices1700000000068 extends Migration {
  /** Without a transaction, the locks of the tables are not held together, so that there is no deadlock with submissions. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['jobs', 'batches', 'flow_steps'])
      await runner.query(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS price integer`);
  }
}
