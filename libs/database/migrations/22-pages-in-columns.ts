import { statements } from './migration.js';

/** The pages of PDF documents that are in columns. */
export class PagesInColumns1700000000022 extends statements(
  `ALTER TABLE pdf_documents ADD COLUMN columns jsonb`,
) {}
