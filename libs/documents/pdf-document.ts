import type { PdfAttachment, PdfDetails } from '#libs/contract/pdf-details.js';
import type { Scan } from '#libs/contract/scans.js';
import type { PdfDocumentEntity } from '#libs/database/entities/pdf-documents.js';

export interface PdfDocument {
  id: string;
  /** Name of the file at its first upload. */
  name: string;
  pages: string[];
  scan: Scan | null;
  /** Numbers of the pages whose text is in columns; null for documents of older versions, which did not detect columns. */
  columns: number[] | null;
  /** The number printed on each page, `''` for a page without one. Null if they are 1, 2, 3 and so on, or unknown. */
  labels: string[] | null;
  /** What the file says about itself. Null for documents of older versions, like `attachments`. */
  details: PdfDetails | null;
  attachments: PdfAttachment[] | null;
}

export const toDocument = (
  { id, fileName, pages, scan, columns, labels, details, attachments }: PdfDocumentEntity,
  name = fileName,
): PdfDocument => ({ id, name, pages, scan, columns, labels, details, attachments });
