import { statements } from './migration.js';

/** What a model made of the passages of PDF documents, and the name of the model that made an answer about one. */
export class PassageVectors1700000000021 extends statements(
  `ALTER TABLE pdf_messages ADD COLUMN model text`,
  `CREATE TABLE pdf_passage_vectors (
    document_id uuid NOT NULL REFERENCES pdf_documents ON DELETE CASCADE,
    passage text NOT NULL,
    vector bytea NOT NULL,
    PRIMARY KEY (document_id, passage)
  )`,
) {}
