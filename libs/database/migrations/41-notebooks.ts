import type { QueryRunner } from 'typeorm';
import { setMessageNotebook } from '../functions/set-message-notebook.sql.js';
import { Migration, createConcurrently, statements } from './migration.js';

/**
 * Notebooks: conversations about documents. Each PDF chat becomes a notebook with the id of its document. Programs of the
 * previous version continue to use `pdf_documents.chat_name` and `pdf_messages.document_id`.
 */
export class Notebooks1700000000041 extends statements(
  `ALTER TABLE pdf_documents
  ADD COLUMN kind text NOT NULL DEFAULT 'pdf',
  ADD COLUMN summary jsonb`,
  // Several conversations about one document have names, and this column has only the last one.
  `ALTER TABLE pdf_documents DROP CONSTRAINT pdf_documents_user_id_chat_name_key`,
  `CREATE TABLE notebooks (
    id uuid PRIMARY KEY,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name text NOT NULL,
    is_pdf_chat boolean NOT NULL DEFAULT false,
    documents_added integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now())`,
  `CREATE INDEX notebooks_user ON notebooks (user_id, updated_at)`,
  `CREATE UNIQUE INDEX notebooks_pdf_chat_name ON notebooks (user_id, name) WHERE is_pdf_chat`,
  `CREATE TABLE notebook_documents (
    notebook_id uuid NOT NULL REFERENCES notebooks (id) ON DELETE CASCADE,
    document_id uuid NOT NULL REFERENCES pdf_documents (id) ON DELETE CASCADE,
    source integer NOT NULL,
    name text NOT NULL,
    is_enabled boolean NOT NULL DEFAULT true,
    replaced_by uuid,
    added_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (notebook_id, document_id))`,
  `CREATE INDEX notebook_documents_document ON notebook_documents (document_id)`,
  `CREATE TABLE notebook_notes (
    id uuid PRIMARY KEY,
    notebook_id uuid NOT NULL REFERENCES notebooks (id) ON DELETE CASCADE,
    message_id bigint,
    content text NOT NULL,
    citations jsonb NOT NULL,
    position integer NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now())`,
  `CREATE INDEX notebook_notes_order ON notebook_notes (notebook_id, position, created_at)`,
  `ALTER TABLE pdf_messages
  ADD COLUMN notebook_id uuid,
  ALTER COLUMN document_id DROP NOT NULL`,
  `ALTER TABLE pdf_messages ADD CONSTRAINT pdf_messages_notebook_id_fkey
  FOREIGN KEY (notebook_id) REFERENCES notebooks (id) ON DELETE CASCADE NOT VALID`,
  setMessageNotebook,
  `CREATE TRIGGER pdf_messages_notebook BEFORE INSERT ON pdf_messages
  FOR EACH ROW WHEN (NEW.notebook_id IS NULL) EXECUTE FUNCTION set_message_notebook()`,
  `INSERT INTO notebooks (id, user_id, name, is_pdf_chat, documents_added, created_at, updated_at)
  SELECT id, user_id, chat_name, true, 1, used_at, used_at FROM pdf_documents WHERE chat_name IS NOT NULL`,
  `INSERT INTO notebook_documents (notebook_id, document_id, source, name, added_at)
  SELECT id, id, 1, file_name, used_at FROM pdf_documents WHERE chat_name IS NOT NULL`,
) {}

const BATCH = 10_000;

/** Adds all earlier messages to their notebook. */
export class NotebookMessages1700000000042 extends Migration {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (let updated = BATCH; updated === BATCH;) {
      const result = (await runner.query(
        `UPDATE pdf_messages SET notebook_id = document_id WHERE id IN (
           SELECT id FROM pdf_messages WHERE notebook_id IS NULL LIMIT ${BATCH})`,
        [],
        true,
      )) as { affected?: number };
      updated = result.affected ?? 0;
    }
    await createConcurrently(runner, {
      pdf_messages_notebook: 'pdf_messages (notebook_id, asked_at, id)',
    });
    await runner.query(`ALTER TABLE pdf_messages VALIDATE CONSTRAINT pdf_messages_notebook_id_fkey`);
  }
}
