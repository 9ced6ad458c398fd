import type { InputFile } from '#libs/contract/files.js';
import type { PassageVectors } from './passage-vectors.js';
import type { PdfChats } from './pdf-chats.js';
import type { ScanLanguage } from '#libs/contract/scans.js';
import type { PdfDocument } from './pdf-document.js';
import type { ReadingProgress, ScanReader } from './read-pdf.js';

export interface ReadOptions {
  signal: AbortSignal;
  /** How scanned pages are read; without it they are not. */
  scans?: { models: ScanReader['models']; language?: ScanLanguage };
  onProgress?: (progress: ReadingProgress) => void;
}

/** A user's PDF documents, known by their content: a file seen before is not read again. */
export interface Documents {
  /** Reads a PDF's text by page, once for each user and content; scans again in another language. @throws AppError UNREADABLE_PDF */
  read(userId: string, file: InputFile, options: ReadOptions): Promise<PdfDocument>;
  readonly chats: PdfChats;
  readonly vectors: PassageVectors;
}
