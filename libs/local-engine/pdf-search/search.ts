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
  /** The best first, without overlaps. */
  hits: Hit[];
  /**
   * The share of the question's terms in the best passage, 0 to 1, weighted by rarity. A term that the document does
   * not have counts as the rarest.
   */
  coverage: number;
}

export interface PassageIndex {
  passages: Passage[];
  terms: Terms;
  /** @param context earlier questions, whose terms have a lower weight */
  search(question: string, context?: string): Found;
  /** The inverse document frequency of a term. */
  weight(term: string): number;
}

/** The weight of a term of the context. */
const CONTEXT_WEIGHT = 0.4;
/** The weight of a synonym. */
const SYNONYM_WEIGHT = 0.6;
/** The weight of a word that is frequent in questions. */
const WEAK_WEIGHT = 0.3;
/** The passage count of a term that the document does not have. */
const UNKNOWN_IN = 0.5;
const MOST_HITS = 50;

export function indexPassages(pages: string[]): PassageIndex {
  const passages: Passage[] = [];
  const terms = createTerms(pages.find((page) => page.length > 200) ?? pages.join('\n').slice(0, 20_000));
  const search = new MiniSearch<{ id: number; text: string; heading: string }>({
    fields: ['text', 'heading'],
    // Texts and questions are passed as terms.
    tokenize: (text) => text.split(' ').filter((term) => term !== ''),
    processTerm: (term) => term,
  });
  const termSets: Set<string>[] = [];
  const frequency = new Map<string, number>();
  for (const ofPage of passagesByPage(pages)) {
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

  /** The weight of a term in a passage: literally or as a synonym. */
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
