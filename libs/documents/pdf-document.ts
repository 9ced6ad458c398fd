import type { Scan } from '#libs/contract/scans.js';

export interface PdfDocument {
  id: string;
  /** The file's name when the user first uploaded it. */
  name: string;
  pages: string[];
  scan: Scan | null;
  /** Numbers of the pages whose text is in columns; null for documents of older versions, which did not detect columns. */
  columns: number[] | null;
}
