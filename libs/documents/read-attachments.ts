import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { ATTACHMENT_NAME_CHARACTERS, type PdfAttachment } from '#libs/contract/pdf-details.js';
import { plainFileName } from '#libs/contract/text.js';
import type { EmbeddedFile } from './annotations/annotation.js';
import { freeName } from './file-names.js';

const MAX_ATTACHMENTS = 100;
/** Bytes within which the header of a PDF begins (ISO 32000-2, annex I). */
const HEADER_WITHIN = 1_024;

/**
 * Lists the files within a PDF: those of the document, then those that a mark on a page holds.
 * @param onPages the files of the pages' annotations
 * @returns at most {@link MAX_ATTACHMENTS} files by unique names
 */
export async function findAttachments(
  document: PDFDocumentProxy,
  onPages: readonly EmbeddedFile[],
): Promise<Map<string, Uint8Array>> {
  // pdf.js refuses a damaged list, but the document's text can be read.
  const list: Promise<unknown> = document.getAttachments();
  const ofDocument = (await list.catch(() => null)) as Record<string, EmbeddedFile> | null;
  const found = new Map<string, Uint8Array>();
  const taken = new Set<string>();
  for (const { filename, content } of [...Object.values(ofDocument ?? {}), ...onPages]) {
    if (!content || found.size >= MAX_ATTACHMENTS) continue;
    const plain = plainFileName(filename)
      .slice(-ATTACHMENT_NAME_CHARACTERS + 10)
      .toWellFormed();
    const name = freeName(plain || 'attachment', taken);
    taken.add(name);
    found.set(name, content);
  }
  return found;
}

/** Files that annotations of the pages hold. */
export async function readPageFiles(document: PDFDocumentProxy): Promise<EmbeddedFile[]> {
  const files: EmbeddedFile[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    for (const annotation of (await page.getAnnotations()) as { file?: EmbeddedFile }[]) {
      if (annotation.file) files.push(annotation.file);
    }
    page.cleanup();
  }
  return files;
}

export const toAttachment = ([name, content]: [string, Uint8Array]): PdfAttachment => ({
  name,
  size: content.length,
  isPdf: isPdf(content),
});

/** True if the content begins as a PDF does. The file's name and stated type are not asked. */
export const isPdf = (content: Uint8Array) =>
  Buffer.from(content.buffer, content.byteOffset, Math.min(content.length, HEADER_WITHIN)).includes('%PDF-');
