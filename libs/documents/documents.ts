import type { InputFile } from '#libs/contract/files.js';
import type { PassageVectors } from './passage-vectors.js';
import type { PdfChats } from './pdf-chats.js';
import type { ScanLanguage } from '#libs/contract/scans.js';
import type { PdfDocument } from './pdf-document.js';
import type { ReadingProgress, ScanReader } from './read-pdf.js';

export interface ReadOptions {
  signal: AbortSignal;
  /** The reader of scanned pages. Without it they are not read. */
  scans?: { models: ScanReader['models']; language?: ScanLanguage };
  onProgress?: (progress: ReadingProgress) => void;
}

/** PDF documents of users, identified by their content: the same file is read once. */
export interface Documents {
  /** Reads a PDF's text by page, once per user and content, and scans once per language. @throws AppError UNREADABLE_PDF */
  read(userId: string, file: InputFile, options: ReadOptions): Promise<PdfDocument>;
  readonly chats: PdfChats;
  readonly vectors: PassageVectors;
}
