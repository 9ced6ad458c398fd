import { statements } from './migration.js';

/** What a PDF says about itself: labels of its pages, title, author, dates, language, headings and attachments. */
export class DocumentDetails1700000000040 extends statements(
  `ALTER TABLE pdf_documents
  ADD COLUMN labels jsonb,
  ADD COLUMN details jsonb,
  ADD COLUMN attachments jsonb,
  ADD COLUMN reader smallint NOT NULL DEFAULT 0`,
) {}
