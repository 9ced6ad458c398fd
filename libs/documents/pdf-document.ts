import type { Scan } from '#libs/contract/scans.js';

export interface PdfDocument {
  id: string;
  /** Name of the file at its first upload. */
  name: string;
  pages: string[];
  scan: Scan | null;
  /** Numbers of the pages whose text is in columns; null for documents of older versions, which did not detect columns. */
  columns: number[] | null;
}
