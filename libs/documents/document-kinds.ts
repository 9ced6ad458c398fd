import { WORD_TYPE } from '#libs/contract/limits.js';
import type { DocumentKind } from '#libs/contract/notebooks.js';

/** The media type of each kind of document. */
export const documentTypes: Record<DocumentKind, string> = {
  pdf: 'application/pdf',
  docx: WORD_TYPE,
  html: 'text/html',
  markdown: 'text/markdown',
  text: 'text/plain',
};

const kinds = Object.keys(documentTypes) as DocumentKind[];

/** The kind of a file by its media type. PDF for any other type, since uploads are checked before. */
export const kindOf = (type: string): DocumentKind =>
  kinds.find((kind) => documentTypes[kind] === type) ?? 'pdf';
