import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the file of a PDF document, so that its pages can be shown beside the answers. */
export class DocumentFiles1700000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE objects
        DROP CONSTRAINT objects_kind_check,
        ADD CONSTRAINT objects_kind CHECK (kind IN ('upload', 'image', 'thumbnail', 'document'))`);
    // Null for documents that were read before their files were kept.
    await runner.query(`
      ALTER TABLE pdf_documents ADD COLUMN file_key text REFERENCES objects ON DELETE SET NULL`);
    await runner.query(`
      CREATE INDEX pdf_documents_file ON pdf_documents (file_key) WHERE file_key IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE pdf_documents DROP COLUMN file_key`);
    await runner.query(`DELETE FROM objects WHERE kind = 'document'`);
    await runner.query(`
      ALTER TABLE objects
        DROP CONSTRAINT objects_kind,
        ADD CONSTRAINT objects_kind_check CHECK (kind IN ('upload', 'image', 'thumbnail'))`);
  }
}
