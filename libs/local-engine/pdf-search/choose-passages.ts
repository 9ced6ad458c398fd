import { approximateTokens } from './tokens.js';
import { joinText, markdownOf, type Passage } from './passages.js';
import type { Meaning, PassageIndex } from './search.js';
import { passagesUnderHeading } from './section-question.js';

/** Text of one page for the model, in the page's order. */
export interface Excerpt {
  page: number;
  text: string;
}

interface Question {
  text: string;
  /** Earlier questions that a follow-up question refers to. */
  context: string;
  isAboutWhole: boolean;
  /** The subject, if the question asks for all that the document has on it. */
  subject?: string | null;
  /** The pages that the question names. */
  pages?: { first: number; last: number } | null;
  meaning?: Meaning | null;
  /** Where the pages are those of several documents: the index of each document's first page. */
  starts?: readonly number[];
}

const costOf = (passage: Passage) => approximateTokens(markdownOf(passage));

/** True if the whole document fits the budget. */
export const fitsWhole = ({ passages }: PassageIndex, budgetTokens: number): boolean =>
  passages.reduce((sum, passage) => sum + costOf(passage), 0) <= budgetTokens;

/**
 * Chooses the text for the model: the whole document if it fits the budget; else the best passages with their
 * neighbours, after the pages that the question names, or for a question about the whole document the beginnings of its
 * pages.
 */
export function chooseExcerpts(index: PassageIndex, question: Question, budgetTokens: number): Excerpt[] {
  const { passages } = index;
  const chosen = new Set<number>();
  let left = budgetTokens;
  const take = (at: number) => {
    const passage = passages[at];
    if (!passage || chosen.has(at)) return;
    const cost = costOf(passage);
    if (cost > left) return;
    left -= cost;
    chosen.add(at);
  };

  if (fitsWhole(index, budgetTokens)) passages.forEach((_, at) => take(at));
  else for (const at of inOrderOfRelevance(index, question)) take(at);
  return toExcerpts(
    passages,
    [...chosen].sort((a, b) => a - b),
  );
}

function* inOrderOfRelevance(
  index: PassageIndex,
  { text, context, isAboutWhole, subject, pages, meaning, starts = [0] }: Question,
): Generator<number> {
  const { passages } = index;
  const places = new Map(passages.map((passage, at) => [passage, at]));
  const documentOf = (at: number) => starts.findLastIndex((start) => start < (passages[at]?.page ?? 0));
  // The beginning usually describes the document.
  if (starts.length === 1) yield 0;
  else if (isAboutWhole) yield* firstsBy(passages.keys(), documentOf);
  for (const [at, { page }] of passages.entries()) {
    if (pages && page >= pages.first && page <= pages.last) yield at;
  }
  for (const passage of subject ? passagesUnderHeading(index, subject) : []) yield places.get(passage) ?? 0;
  const hits = index.search(text, { context, meaning }).hits.map(({ passage }) => places.get(passage) ?? 0);
  if (!isAboutWhole) {
    // The best hit of each document comes first, because the hits of one may fill the budget.
    yield* firstsBy(hits, documentOf);
    for (const at of hits) {
      yield at;
      for (const neighbour of [at + 1, at - 1]) {
        if (passages[neighbour]?.page === passages[at]?.page) yield neighbour;
      }
    }
  }
  yield* evenly(passages);
}

/** The first place of each document. */
function* firstsBy(places: Iterable<number>, documentOf: (at: number) => number): Generator<number> {
  const seen = new Set<number>();
  for (const at of places) {
    const document = documentOf(at);
    if (!seen.has(document)) yield at;
    seen.add(document);
  }
}

/** Beginnings of pages, spread evenly over the document and then more densely. */
function* evenly(passages: Passage[]): Generator<number> {
  const firsts = passages.flatMap((passage, at) => (passage.page === passages[at - 1]?.page ? [] : [at]));
  for (let step = 2 ** Math.ceil(Math.log2(firsts.length)); step >= 1; step /= 2) {
    for (let at = 0; at < firsts.length; at += step) yield firsts[at] ?? 0;
  }
}

function toExcerpts(passages: Passage[], places: number[]): Excerpt[] {
  const excerpts: Excerpt[] = [];
  let before: { passage: Passage; at: number } | undefined;
  for (const at of places) {
    const passage = passages[at]!;
    const last = excerpts.at(-1);
    const follows = before?.at === at - 1 && before.passage.page === passage.page;
    if (last && before?.passage.page === passage.page) {
      // Consecutive passages share a sentence.
      const repeats = follows && before.passage.sentences.at(-1) === passage.sentences[0];
      const text = markdownOf(passage, repeats ? 1 : 0);
      const lineBreak = repeats ? passage.breaks?.[1] : follows ? '\n\n' : '\n[…]\n';
      if (text) last.text = lineBreak ? last.text + lineBreak + text : joinText(last.text, text);
    } else excerpts.push({ page: passage.page, text: markdownOf(passage) });
    before = { passage, at };
  }
  return excerpts;
}
