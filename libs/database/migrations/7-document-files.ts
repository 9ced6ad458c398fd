import { statements } from './migration.js';

/** Keeps the file of a PDF document, so that its pages can be shown beside the answers. */
export class DocumentFiles1700000000007 extends statements(
  `ALTER TABLE objects
    DROP CONSTRAINT objects_kind_check,
    ADD CONSTRAINT objects_kind CHECK (kind IN ('upload', 'image', 'thumbnail', 'document'))`,
  // Null for documents that were read before their files were kept.
  `ALTER TABLE pdf_documents ADD COLUMN file_key text REFERENCES objects ON DELETE SET NULL`,
  `CREATE INDEX pdf_documents_file ON pdf_documents (file_key) WHERE file_key IS NOT NULL`,
) {}
