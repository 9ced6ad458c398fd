import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which pages of a document are scans, and the words that were read from them with their places. */
export class ScannedPages1700000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE pdf_documents ADD COLUMN scan jsonb`);
    await runner.query(`
      CREATE TABLE pdf_scanned_pages (
        document_id uuid NOT NULL REFERENCES pdf_documents ON DELETE CASCADE,
        page integer NOT NULL,
        words jsonb NOT NULL,
        PRIMARY KEY (document_id, page)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE pdf_scanned_pages`);
    await runner.query(`ALTER TABLE pdf_documents DROP COLUMN scan`);
  }
}
