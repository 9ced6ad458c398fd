import type { QueryRunner } from 'typeorm';
import { Migration } from './migration.js';

/** The pages of PDF documents that are in columns. */
export class PagesInColumns1700000000022 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE pdf_documents ADD COLUMN columns jsonb`);
  }
}
