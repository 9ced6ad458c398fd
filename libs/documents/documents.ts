import type { InputFile } from '#libs/contract/files.js';
import type { PdfChats } from './pdf-chats.js';
import type { PdfDocument } from './pdf-document.js';

/** A user's PDF documents, known by their content: a file seen before is not read again. */
export interface Documents {
  /** Reads a PDF's text by page, once for each user and content. @throws AppError UNREADABLE_PDF */
  read(userId: string, file: InputFile, signal: AbortSignal): Promise<PdfDocument>;
  readonly chats: PdfChats;
}
