import type { Block } from './blocks.js';

/** The paragraphs of a plain text, with their lines. Form feeds end pages. */
export const textBlocks = (text: string): Block[] =>
  text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .split('\f')
    .flatMap((page, index): Block[] => [
      ...(index > 0 ? [{ kind: 'pageBreak' } as const] : []),
      ...page.split(/\n[^\S\n]*\n\s*/).map((paragraph) => ({ kind: 'paragraph', text: paragraph }) as const),
    ]);
