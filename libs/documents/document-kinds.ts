import type { DocumentKind } from '#libs/contract/notebooks.js';

/** The kind of a file by its media type. PDF for any other type, since uploads are checked before. */
const kindsByType: Record<string, DocumentKind> = { 'text/markdown': 'markdown', 'text/plain': 'text' };

export const kindOf = (type: string): DocumentKind => kindsByType[type] ?? 'pdf';
