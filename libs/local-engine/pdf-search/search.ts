import { setImmediate as turn } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import { passagesByPage, textOf, type Passage } from './passages.js';
import { synonymsOf } from './synonyms.js';
import { createTerms, isWeak, type Terms } from './terms.js';

export interface Hit {
  passage: Passage;
  /** Comparable within one search. */
  score: number;
}

export interface Found {
  /** The best first; at most one for each stretch of text. */
  hits: Hit[];
  /**
   * How much of the question the best passage covers, 0 to 1: the share of its terms, rare ones counting for more.
   * A term that the document does not have at all counts as the rarest.
   */
  coverage: number;
}

/** A search over one document's passages. */
export interface PassageIndex {
  passages: Passage[];
  terms: Terms;
  /** @param context what was asked before, for a question that leans on it; its terms count for less */
  search(question: string, context?: string): Found;
  /** The weight of a term: the rarer in the document, the more. */
  weight(term: string): number;
}

/** How much a term of the context counts beside one of the question. */
const CONTEXT_WEIGHT = 0.4;
/** How much another word for a term counts beside the term itself. */
const SYNONYM_WEIGHT = 0.6;
/** How much a word counts that questions are full of. */
const WEAK_WEIGHT = 0.3;
/** As in how many passages a term counts that the document does not have. */
const UNKNOWN_IN = 0.5;
const MOST_HITS = 50;

export async function indexPassages(pages: string[], signal: AbortSignal): Promise<PassageIndex> {
  const passages: Passage[] = [];
  const terms = createTerms(pages.find((page) => page.length > 200) ?? pages.join('\n').slice(0, 20_000));
  const search = new MiniSearch<{ id: number; text: string; heading: string }>({
    fields: ['text', 'heading'],
    // Texts and questions are handed over as their terms.
    tokenize: (text) => text.split(' ').filter((term) => term !== ''),
    processTerm: (term) => term,
  });
  const termSets: Set<string>[] = [];
  const frequency = new Map<string, number>();
  for (const ofPage of passagesByPage(pages)) {
    // A long document takes seconds in all; other work gets a turn after each page.
    await turn();
    signal.throwIfAborted();
    for (const passage of ofPage) {
      const text = terms.of(textOf(passage));
      const heading = terms.of(passage.heading);
      search.add({ id: passages.length, text: text.join(' '), heading: heading.join(' ') });
      const set = new Set([...text, ...heading]);
      for (const term of set) frequency.set(term, (frequency.get(term) ?? 0) + 1);
      passages.push(passage);
      termSets.push(set);
    }
  }
  const weight = (term: string) => Math.log(1 + passages.length / (frequency.get(term) ?? UNKNOWN_IN));

  /** How far a passage has a term: itself, or another word for it. */
  const has = (id: number, term: string): number => {
    const set = termSets[id];
    if (set?.has(term)) return 1;
    return [...synonymsOf(term)].some((synonym) => set?.has(synonym)) ? SYNONYM_WEIGHT : 0;
  };
  const covered = (id: number, asked: string[]) => {
    const total = asked.reduce((sum, term) => sum + importance(term), 0);
    return asked.reduce((sum, term) => sum + has(id, term) * importance(term), 0) / (total || 1);
  };
  const importance = (term: string) => weight(term) * (isWeak(term) ? WEAK_WEIGHT : 1);

  return {
    passages,
    terms,
    weight,
    search(question, context = '') {
      const own = [...new Set(terms.of(question))];
      const lent = [...new Set(terms.of(context))].filter((term) => !own.includes(term));
      if (own.length + lent.length === 0) return { hits: [], coverage: 0 };
      const query = {
        combineWith: 'OR' as const,
        queries: [
          own.join(' '),
          {
            queries: [own.flatMap((term) => [...synonymsOf(term)]).join(' ')],
            boostTerm: () => SYNONYM_WEIGHT,
          },
          { queries: [lent.join(' ')], boostTerm: () => CONTEXT_WEIGHT },
        ],
      };
      const asked = own.length > 0 ? own : lent;
      const found = search.search(query, {
        boost: { heading: 1 },
        fuzzy: (term) => (/^[a-z]{6,}$/.test(term) ? 1 : false),
        weights: { fuzzy: 0.3, prefix: 0.3 },
      });
      const hits = found
        .slice(0, MOST_HITS)
        .map(({ id, score }) => ({
          id: id as number,
          score: score * (0.4 + covered(id as number, [...asked, ...lent])),
        }))
        .sort((a, b) => b.score - a.score);
      return {
        hits: hits.map(({ id, score }) => ({ passage: passages[id]!, score })),
        coverage: Math.max(0, ...hits.slice(0, 5).map(({ id }) => covered(id, asked))),
      };
    },
  };
}
