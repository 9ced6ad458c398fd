import type { InputFile } from '#libs/contract/files.js';
import type { PdfChats } from './pdf-chats.js';

/** A PDF with its text. */
export interface PdfDocument {
  id: string;
  /** The name of its file, as it was when the user first sent it. */
  name: string;
  /** The text of each page; the first is page 1. */
  pages: string[];
}

/** A user's PDF documents, known by their content: a file seen before is not read again. */
export interface Documents {
  /**
   * Reads a PDF's text by page, once for each user and content.
   * @throws AppError UNREADABLE_PDF for one that is encrypted, corrupt, or without enough text
   */
  read(userId: string, file: InputFile, signal: AbortSignal): Promise<PdfDocument>;
  /** The conversations about them. */
  readonly chats: PdfChats;
}
