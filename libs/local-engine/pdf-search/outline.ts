import { recognisedHeadings } from './answer-parts.js';
import { dedupe, upTo } from './excerpt.js';
import type { PassageIndex } from './search.js';

const OPENING_CHARACTERS = 900;
const MAX_HEADINGS = 15;

export interface Outline {
  /** The first sentences of the document. */
  opening: string;
  headings: string[];
}

/** The opening and the headings of a document. */
export function outlineFrom({ passages }: Pick<PassageIndex, 'passages'>, pages: string[]): Outline {
  const first = passages[0]?.page;
  const sentences = passages.filter(({ page }) => page === first).flatMap((passage) => passage.sentences);
  const headings = recognisedHeadings(pages).map(({ title }) => title);
  return {
    opening: upTo(dedupe(sentences), OPENING_CHARACTERS),
    headings: [...new Set(headings)].slice(0, MAX_HEADINGS),
  };
}
