import { recognisedHeadings } from './answer-parts.js';
import { dedupe, upTo } from './excerpt.js';
import { indexPassages } from './search.js';

const OPENING_CHARACTERS = 900;
const MOST_HEADINGS = 15;

export interface Outline {
  /** The first sentences of the document. */
  opening: string;
  headings: string[];
}

/** The opening and the headings of a document. */
export function outlineOf({ pages }: { pages: string[] }): Outline {
  const { passages } = indexPassages(pages);
  const first = passages[0]?.page;
  const sentences = passages.filter(({ page }) => page === first).flatMap((passage) => passage.sentences);
  const headings = recognisedHeadings(pages).map(({ title }) => title);
  return {
    opening: upTo(dedupe(sentences), OPENING_CHARACTERS),
    headings: [...new Set(headings)].slice(0, MOST_HEADINGS),
  };
}
