import type { QueryRunner } from 'typeorm';
import { Migration } from './migration.js';

/** What a creation was made from and with, and the jobs that one request started together. Migration 27 adds their indexes. */
export class CreationSources1700000000025 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE creations ADD COLUMN settings jsonb,
        ADD COLUMN made_from uuid REFERENCES creations ON DELETE SET NULL`);
    await runner.query(`ALTER TABLE jobs ADD COLUMN group_id uuid`);
  }
}
