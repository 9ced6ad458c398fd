import type { DocumentSummaries } from './document-summaries.js';
import type { InputFile } from '#libs/contract/files.js';
import type { PassageVectors } from './passage-vectors.js';
import type { PdfChats } from './pdf-chats.js';
import type { ScanLanguage } from '#libs/contract/scans.js';
import type { PdfDocument } from './pdf-document.js';
import type { ReadingProgress, ScanReader } from './read-pdf.js';

export interface ReadOptions {
  signal: AbortSignal;
  /** Models for OCR of scanned pages. If absent, scanned pages are not read. */
  scans?: { models: ScanReader['models']; language?: ScanLanguage };
  onProgress?: (progress: ReadingProgress) => void;
}

/**
 * Users' documents: PDFs, and files of the other formats that `read-document-file.ts` reads. A document is identified by its user and content, so uploading a file again does not read it again.
 */
export interface Documents {
  /**
   * Reads the text of a document and stores it. Returns the stored text if the user has read the same content before, with
   * scanned pages in the same language and by the current version of the reader.
   * @throws AppError UNREADABLE_PDF, UNREADABLE_DOCUMENT or UNSUPPORTED_FILE
   */
  read(userId: string, file: InputFile, options: ReadOptions): Promise<PdfDocument>;
  /**
   * Reads a stored document again if an older version of the reader read it and its file is stored.
   * @returns the document as it is now
   * @throws StoreError; the signal's reason
   */
  readAgain(userId: string, document: PdfDocument, options: ReadOptions): Promise<PdfDocument>;
  readonly chats: PdfChats;
  readonly vectors: PassageVectors;
  readonly summaries: DocumentSummaries;
}
