import { statements } from './migration.js';

/** Which pages of a document are scans, and the words that were read from them with their places. */
export class ScannedPages1700000000019 extends statements(
  `ALTER TABLE pdf_documents ADD COLUMN scan jsonb`,
  `CREATE TABLE pdf_scanned_pages (
    document_id uuid NOT NULL REFERENCES pdf_documents ON DELETE CASCADE,
    page integer NOT NULL,
    words jsonb NOT NULL,
    PRIMARY KEY (document_id, page)
  )`,
) {}
