import MiniSearch from 'minisearch';
import { asksForContents } from './contents.js';
import { passagesByPage, textOf, type Passage } from './passages.js';
import { synonymsOf } from './synonyms.js';
import { createTerms, isWeak, type Terms } from './terms.js';
import { similarity, vectorKey, type Direction } from './vectors.js';

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
  /** Whether the document seems to have an answer. */
  isAnswered: boolean;
}

/** What a model knows of a question and of the passages, as far as it has read them. */
export interface Meaning {
  question: Direction;
  /** By the key of a passage's text. */
  vectors: ReadonlyMap<string, Direction>;
}

export interface SearchOptions {
  /** Earlier questions, whose terms have a lower weight. */
  context?: string;
  meaning?: Meaning | null;
  /** The pages that are searched; all without it. */
  pages?: { first: number; last: number } | null;
}

export interface PassageIndex {
  passages: Passage[];
  terms: Terms;
  search(question: string, options?: SearchOptions): Found;
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
/** So many of the passages that fit best are looked at sentence by sentence. */
export const MOST_CLOSE = 6;

/** Below this weighted share of a question's terms, the document has no answer, as far as words tell. */
const FEWEST_COVERED = 0.45;

/** With a model, a passage's rank is its similarity to the question and this share of its coverage. */
const COVERED_SHARE = 0.15;
/** What the similarity of a passage's best sentence adds to its rank. */
const SENTENCE_SHARE = 0.4;
/**
 * The document has an answer where the similarity of the best passage and this share of the coverage reach the threshold.
 * All three were chosen on half of the questions of `npm run quality`.
 */
const COVERAGE_SHARE = 0.4;
const LEAST_SCORE = 0.4;
/** The similarity of a passage that the model has not read: that of an unrelated one. Its words decide more. */
const UNREAD = { similarity: 0.1, coveredShare: 0.4 };

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
    search(question, { context = '', meaning = null, pages: range = null } = {}) {
      const own = [...new Set(terms.of(question))];
      const lent = [...new Set(terms.of(context))].filter((term) => !own.includes(term));
      const withContents = asksForContents(question);
      const isSearched = ({ page, isContents }: Passage) =>
        (withContents || !isContents) && (!range || (page >= range.first && page <= range.last));
      const asked = own.length > 0 ? own : lent;
      const byWords = findByWords(own, lent).filter(({ id }) => isSearched(passages[id]!));
      const coverage = Math.max(0, ...byWords.slice(0, 5).map(({ id }) => covered(id, asked)));
      if (!meaning) {
        return {
          hits: byWords.map(({ id, score }) => ({ passage: passages[id]!, score })),
          coverage,
          isAnswered: coverage >= FEWEST_COVERED,
        };
      }
      const ranked = passages
        .map((passage, id) => ({ passage, id }))
        .filter(({ passage }) => isSearched(passage))
        .map(({ passage, id }) => {
          const words = covered(id, asked);
          const vector = meaning.vectors.get(vectorKey(embeddedText(passage)));
          if (!vector) {
            const { similarity: alike, coveredShare } = UNREAD;
            return { passage, alike, score: alike + coveredShare * words };
          }
          const alike = similarity(meaning.question, vector);
          return { passage, alike, score: alike + COVERED_SHARE * words };
        })
        .sort((a, b) => b.score - a.score)
        .slice(0, MOST_HITS);
      const alike = ranked[0]?.alike ?? 0;
      return {
        // Those alone: whose sentences were read for an earlier question must make no difference.
        hits: [...bestSentenceFirst(ranked.slice(0, MOST_CLOSE), meaning), ...ranked.slice(MOST_CLOSE)],
        coverage,
        isAnswered: alike + COVERAGE_SHARE * coverage >= LEAST_SCORE,
      };
    },
  };

  /** The best first. */
  function findByWords(own: string[], lent: string[]): { id: number; score: number }[] {
    if (own.length + lent.length === 0) return [];
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
    return search
      .search(query, {
        boost: { heading: 1 },
        fuzzy: (term) => (/^[a-z]{6,}$/.test(term) ? 1 : false),
        weights: { fuzzy: 0.3, prefix: 0.3 },
      })
      .slice(0, MOST_HITS)
      .map(({ id, score }) => ({
        id: id as number,
        score: score * (0.4 + covered(id as number, [...asked, ...lent])),
      }))
      .sort((a, b) => b.score - a.score);
  }
}

/** Ranks by the best sentence too, where the model has read the sentences. */
function bestSentenceFirst(hits: Hit[], { question, vectors }: Meaning): Hit[] {
  return hits
    .map(({ passage, score }) => {
      const sentences = passage.sentences.flatMap((sentence) => {
        const read = vectors.get(vectorKey(embeddedSentence(passage, sentence)));
        return read ? [similarity(question, read)] : [];
      });
      const best = sentences.length > 0 ? Math.max(...sentences) : 0;
      return { passage, score: score + SENTENCE_SHARE * best };
    })
    .sort((a, b) => b.score - a.score);
}

/** What a model reads of a sentence of a passage. */
export const embeddedSentence = ({ heading }: Passage, sentence: string): string =>
  heading === '' || sentence === heading ? sentence : `${heading}: ${sentence}`;

/** What a model reads of a passage. */
export const embeddedText = (passage: Passage): string => {
  const text = textOf(passage);
  return passage.heading === '' || text.startsWith(passage.heading) ? text : `${passage.heading}: ${text}`;
};
