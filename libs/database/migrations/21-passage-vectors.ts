import type { QueryRunner } from 'typeorm';
import { Migration } from './migration.js';

/** What a model made of the passages of PDF documents, and the name of the model that made an answer about one. */
export class PassageVectors1700000000021 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE pdf_messages ADD COLUMN model text`);
    await runner.query(`
      CREATE TABLE pdf_passage_vectors (
        document_id uuid NOT NULL REFERENCES pdf_documents ON DELETE CASCADE,
        passage text NOT NULL,
        vector bytea NOT NULL,
        PRIMARY KEY (document_id, passage)
      )`);
  }
}
