import { proseOf, type Prose } from '#libs/local-engine/text/prose.js';

/** A range of running text to rewrite. */
export interface Part {
  /** From 1, in the order of the text. */
  number: number;
  prose: Prose;
  /** The source in one line. */
  text: string;
}

export function partsOf(source: string): Part[] {
  return proseOf(source).map((prose, index) => ({
    number: index + 1,
    prose,
    text: inOneLine(source.slice(prose.start, prose.end)),
  }));
}

export const inOneLine = (text: string) => text.replace(/(?<!\s)\s*\n\s*/gu, ' ').trim();
