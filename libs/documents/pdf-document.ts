import type { Scan } from '#libs/contract/scans.js';

export interface PdfDocument {
  id: string;
  /** The name of its file, as it was when the user first sent it. */
  name: string;
  /** The text of each page; the first is page 1. */
  pages: string[];
  scan: Scan | null;
  /** The pages in columns; null where it was stored before they were told. */
  columns: number[] | null;
}
