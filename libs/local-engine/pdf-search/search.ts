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
  /** Whether the best passage comes close enough to be shown where there seems to be none. */
  isNear: boolean;
}

/** What a model knows of a question and of the passages, as far as it has read them. */
export interface Meaning {
  question: Direction;
  /** By the key of a passage's text. */
  vectors: ReadonlyMap<string, Direction>;
  /** How closely the passages that may answer, and their sentences, meet the question word by word; by their text. */
  closeness: ReadonlyMap<string, number>;
}

interface Scope {
  /** Earlier questions, whose terms have a lower weight. */
  context?: string;
  /** The pages that are searched; all without it. */
  pages?: { first: number; last: number } | null;
}

export interface SearchOptions extends Scope {
  meaning?: Meaning | null;
}

type Vectors = Pick<Meaning, 'question' | 'vectors'>;

export interface PassageIndex {
  passages: Passage[];
  terms: Terms;
  search(question: string, options?: SearchOptions): Found;
  /** The passages that may answer, by their vectors and words, the best first. */
  candidates(question: string, options: Scope & { meaning: Vectors }): Passage[];
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
/** So many of the passages that fit best are compared with the question word by word. */
const MOST_CLOSE = 8;

/** Below this weighted share of a question's terms, the document has no answer, as far as words tell. */
const FEWEST_COVERED = 0.45;

/** With a model, a passage is a candidate by its similarity to the question and this share of its coverage. */
const CANDIDATE_COVERED_SHARE = 0.15;
/** A candidate's rank is its closeness to the question, and these shares of its best sentence's closeness and its coverage. */
const SENTENCE_SHARE = 0.3;
const COVERED_SHARE = 0.1;
/** The document has an answer where this is reached. All were chosen on half of the questions of `npm run quality`. */
const LEAST_SCORE = 0.58;
/** Where this is reached, the best passage is shown as what comes closest: no right page of that half scores lower. */
const LEAST_NEAR_SCORE = 0.45;
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
    candidates(question, { meaning, ...scope }) {
      return rankByVectors(question, scope, meaning)
        .slice(0, MOST_CLOSE)
        .map(({ id }) => passages[id]!);
    },
    search(question, { meaning = null, ...scope } = {}) {
      const { own, lent, asked, isSearched } = termsOf(question, scope);
      const byWords = findByWords(own, lent).filter(({ id }) => isSearched(passages[id]!));
      const coverage = Math.max(0, ...byWords.slice(0, 5).map(({ id }) => covered(id, asked)));
      if (!meaning) {
        return {
          hits: byWords.map(({ id, score }) => ({ passage: passages[id]!, score })),
          coverage,
          isAnswered: coverage >= FEWEST_COVERED,
          isNear: false,
        };
      }
      const ranked = rankByVectors(question, scope, meaning);
      const close = ranked
        .slice(0, MOST_CLOSE)
        .map(({ id }) => {
          const passage = passages[id]!;
          const closeness = closenessOf(passage, meaning);
          return { passage, closeness, score: closeness + COVERED_SHARE * covered(id, asked) };
        })
        .sort((a, b) => b.score - a.score);
      const certainty = (close[0]?.closeness ?? 0) + COVERED_SHARE * coverage;
      const worst = close.at(-1)?.score ?? 0;
      const others = ranked
        .slice(MOST_CLOSE)
        .map(({ id, score }) => ({ passage: passages[id]!, score: Math.min(score, worst) }));
      return {
        hits: [...close, ...others],
        coverage,
        isAnswered: certainty >= LEAST_SCORE,
        isNear: certainty >= LEAST_NEAR_SCORE,
      };
    },
  };

  function termsOf(question: string, { context = '', pages: range = null }: Scope) {
    const own = [...new Set(terms.of(question))];
    const lent = [...new Set(terms.of(context))].filter((term) => !own.includes(term));
    const withContents = asksForContents(question);
    const isSearched = ({ page, isContents }: Passage) =>
      (withContents || !isContents) && (!range || (page >= range.first && page <= range.last));
    return { own, lent, asked: own.length > 0 ? own : lent, isSearched };
  }

  /** The best first. */
  function rankByVectors(
    question: string,
    scope: Scope,
    { question: direction, vectors }: Vectors,
  ): { id: number; score: number }[] {
    const { asked, isSearched } = termsOf(question, scope);
    return passages
      .flatMap((passage, id) => {
        if (!isSearched(passage)) return [];
        const words = covered(id, asked);
        const vector = vectors.get(vectorKey(embeddedText(passage)));
        const score = vector
          ? similarity(direction, vector) + CANDIDATE_COVERED_SHARE * words
          : UNREAD.similarity + UNREAD.coveredShare * words;
        return [{ id, score }];
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, MOST_HITS);
  }

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

/** Of a passage and, in part, of its best sentence. */
function closenessOf(passage: Passage, { closeness }: Meaning): number {
  const sentences = passage.sentences.map(
    (sentence) => closeness.get(embeddedSentence(passage, sentence)) ?? 0,
  );
  return (closeness.get(embeddedText(passage)) ?? 0) + SENTENCE_SHARE * Math.max(0, ...sentences);
}

/** What a model reads of a sentence of a passage. */
export const embeddedSentence = ({ heading }: Passage, sentence: string): string =>
  heading === '' || sentence === heading ? sentence : `${heading}: ${sentence}`;

/** What a model reads of a passage. */
export const embeddedText = (passage: Passage): string => {
  const text = textOf(passage);
  return passage.heading === '' || text.startsWith(passage.heading) ? text : `${passage.heading}: ${text}`;
};
