import type { QueryRunner } from 'typeorm';
import { createConcurrently, Migration } from './migration.js';

/** The text that a job rewrites a part of. */
export class RewrittenTexts1700000000035 extends Migration {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE jobs ADD COLUMN IF NOT EXISTS source_id uuid`);
    await createConcurrently(runner, { jobs_source: 'jobs (source_id) WHERE source_id IS NOT NULL' });
  }
}
