import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The pages of PDF documents that are in columns. */
export class PagesInColumns1700000000022 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE pdf_documents ADD COLUMN columns jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE pdf_documents DROP COLUMN columns`);
  }
}
