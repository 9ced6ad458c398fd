import type { InputFile } from '#libs/contract/files.js';
import { documentTypes } from './document-kinds.js';
import { readFile } from './formats/read-file.js';
import { readPdf, type PdfReading, type ReadingProgress, type ScanReader } from './read-pdf.js';

/**
 * Reads the text of a document of any kind, with OCR for the scanned pages of a PDF.
 * @throws AppError UNREADABLE_PDF, UNREADABLE_DOCUMENT or UNSUPPORTED_FILE; the signal's reason
 */
export async function readDocumentFile(
  { bytes, type }: Pick<InputFile, 'bytes' | 'type'>,
  signal: AbortSignal,
  scans: ScanReader | null,
  onProgress?: (progress: ReadingProgress) => void,
): Promise<PdfReading> {
  if (type === documentTypes.pdf) return readPdf(bytes, signal, scans, onProgress);
  const isMarkdown = type === documentTypes.markdown;
  const { pages, details, headings, places } = await readFile(bytes, isMarkdown, signal);
  return {
    pages,
    details: { ...details, headings, ...(places && { places }) },
    ...{ scan: null, columns: [], words: new Map(), labels: null, attachments: [] },
  };
}
