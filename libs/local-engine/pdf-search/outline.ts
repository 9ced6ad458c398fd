import { headingsOf } from './headings.js';
import { joinText } from './passages.js';
import { withoutRunningLines } from './running-lines.js';
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
  let opening = '';
  // Consecutive passages share a sentence.
  for (const sentence of sentences.filter((one, at) => one !== sentences[at - 1])) {
    if (opening !== '' && opening.length + sentence.length > OPENING_CHARACTERS) break;
    opening = joinText(opening, sentence);
  }
  const headings = withoutRunningLines(pages).flatMap((page) => headingsOf(page));
  return { opening, headings: [...new Set(headings)].slice(0, MOST_HEADINGS) };
}
