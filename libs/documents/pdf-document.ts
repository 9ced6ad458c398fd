import type { Scan } from '#libs/contract/scans.js';

export interface PdfDocument {
  id: string;
  /** The file's name when the user first uploaded it. */
  name: string;
  pages: string[];
  scan: Scan | null;
  /** The pages in columns; null for documents of versions that did not detect them. */
  columns: number[] | null;
}
