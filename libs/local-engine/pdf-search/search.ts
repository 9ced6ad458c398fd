import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { asksForContents } from './contents.js';
import { passagesOfDocuments, textOf, type Passage } from './passages.js';
import groups from './synonyms.json' with { type: 'json' };
import { createTerms, isWeak, type Terms } from './terms.js';
import { similarity, vectorKey, type Direction } from './vectors.js';

const synonyms = new Map<string, Set<string>>();
for (const group of groups) {
  const terms = group.map((word) => stemmer(word));
  for (const term of terms) synonyms.set(term, new Set([...(synonyms.get(term) ?? []), ...terms]));
}
for (const [term, others] of synonyms) others.delete(term);

const none: ReadonlySet<string> = new Set();

/** English synonyms of a stemmed word, stemmed too. */
const synonymsOf = (term: string): ReadonlySet<string> => synonyms.get(term) ?? none;

export interface Hit {
  passage: Passage;
  /** Comparable within one search. */
  score: number;
}

export interface Found {
  /** Best first, without overlaps. */
  hits: Hit[];
  /**
   * The share of the question's terms in the best passage, 0 to 1, weighted by rarity. A term that the document does
   * not have counts as the rarest.
   */
  coverage: number;
  /** True if the document seems to have an answer. */
  isAnswered: boolean;
  /** True if the best passage is close enough to be shown although there seems to be no answer. */
  isNear: boolean;
}

/** The results of a model for a question and for the passages that it has read. */
export interface Meaning {
  /** The key of the operator's embedding model; undefined for MiniLM. */
  model?: string;
  /** The scores from which that model's passages answer a question or come close; undefined for MiniLM's. */
  scores?: { answer: number; near: number };
  question: Direction;
  /** Vectors by `vectorKey` of the passage's text. */
  vectors: ReadonlyMap<string, Direction>;
  /** Word-by-word closeness of candidate passages and their sentences to the question, by their text. */
  closeness: ReadonlyMap<string, number>;
}

interface Scope {
  /** Earlier questions, whose terms have a lower weight. */
  context?: string;
  /** The pages to search; default: all. */
  pages?: { first: number; last: number } | null;
}

export interface SearchOptions extends Scope {
  meaning?: Meaning | null;
}

type Vectors = Pick<Meaning, 'question' | 'vectors' | 'model'>;

export interface PassageIndex {
  passages: Passage[];
  terms: Terms;
  search(question: string, options?: SearchOptions): Found;
  /** The passages that may contain the answer, by vectors and words; best first. */
  candidates(question: string, options: Scope & { meaning: Vectors }): Passage[];
  /** The inverse document frequency of a term. */
  weight(term: string): number;
  /** True if a passage has a term of each list. */
  areTogether(some: readonly string[], others: readonly string[]): boolean;
}

const CONTEXT_WEIGHT = 0.4;
const SYNONYM_WEIGHT = 0.6;
/** The weight of a word that is frequent in questions. */
const WEAK_WEIGHT = 0.3;
/** The passage count assumed for a term that the document does not contain. */
const UNKNOWN_IN = 0.5;
const MOST_HITS = 50;
/** The number of best passages that are compared with the question word by word. */
const MOST_CLOSE = 8;

/** In a search by words, a document with a smaller weighted share of the question's terms has no answer. */
const FEWEST_COVERED = 0.45;

/** With a model, candidates are ranked by similarity to the question, plus this share of their coverage. */
const CANDIDATE_COVERED_SHARE = 0.15;
/** A candidate's score is its closeness to the question, plus these shares of its best sentence's closeness and coverage. */
const SENTENCE_SHARE = 0.3;
const COVERED_SHARE = 0.1;
/** From this score on, the document has an answer. All weights were tuned on half of the questions of `npm run quality`. */
const LEAST_SCORE = 0.58;
/** From this score on, the best passage is shown as the closest one: no correct page of that half scores lower. */
const LEAST_NEAR_SCORE = 0.45;
/** A passage that the model has not read gets the similarity of an unrelated one, and its words count more. */
const UNREAD = { similarity: 0.1, coveredShare: 0.4 };

/** @param starts index of each document's first page, if the pages are those of several documents */
export function indexPassages(pages: string[], starts: readonly number[] = [0]): PassageIndex {
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
  for (const pagePassages of passagesOfDocuments(pages, starts)) {
    for (const passage of pagePassages) {
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
    areTogether: (some, others) =>
      termSets.some((set) => [some, others].every((terms) => terms.some((term) => set.has(term)))),
    candidates(question, { meaning, ...scope }) {
      return rankByVectors(question, scope, meaning)
        .slice(0, MOST_CLOSE)
        .map(({ id }) => passages[id]!);
    },
    search(question, { meaning = null, ...scope } = {}) {
      const { own, fromContext, asked, isSearched } = termsOf(question, scope);
      const byWords = findByWords(own, fromContext).filter(({ id }) => isSearched(passages[id]!));
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
        isAnswered: certainty >= (meaning.scores?.answer ?? LEAST_SCORE),
        isNear: certainty >= (meaning.scores?.near ?? LEAST_NEAR_SCORE),
      };
    },
  };

  function termsOf(question: string, { context = '', pages: range = null }: Scope) {
    const own = [...new Set(terms.of(question))];
    const fromContext = [...new Set(terms.of(context))].filter((term) => !own.includes(term));
    const withContents = asksForContents(question);
    const isSearched = ({ page, isContents }: Passage) =>
      (withContents || !isContents) && (!range || (page >= range.first && page <= range.last));
    return { own, fromContext, asked: own.length > 0 ? own : fromContext, isSearched };
  }

  /** Ranks passages by similarity and words; best first. */
  function rankByVectors(
    question: string,
    scope: Scope,
    { question: direction, vectors, model }: Vectors,
  ): { id: number; score: number }[] {
    const { asked, isSearched } = termsOf(question, scope);
    return passages
      .flatMap((passage, id) => {
        if (!isSearched(passage)) return [];
        const words = covered(id, asked);
        const vector = vectors.get(vectorKey(embeddedText(passage), model));
        const score = vector
          ? similarity(direction, vector) + CANDIDATE_COVERED_SHARE * words
          : UNREAD.similarity + UNREAD.coveredShare * words;
        return [{ id, score }];
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, MOST_HITS);
  }

  /** Finds passages by words; best first. */
  function findByWords(own: string[], fromContext: string[]): { id: number; score: number }[] {
    if (own.length + fromContext.length === 0) return [];
    const query = {
      combineWith: 'OR' as const,
      queries: [
        own.join(' '),
        {
          queries: [own.flatMap((term) => [...synonymsOf(term)]).join(' ')],
          boostTerm: () => SYNONYM_WEIGHT,
        },
        { queries: [fromContext.join(' ')], boostTerm: () => CONTEXT_WEIGHT },
      ],
    };
    const asked = own.length > 0 ? own : fromContext;
    return search
      .search(query, {
        boost: { heading: 1 },
        fuzzy: (term) => (/^[a-z]{6,}$/.test(term) ? 1 : false),
        weights: { fuzzy: 0.3, prefix: 0.3 },
      })
      .slice(0, MOST_HITS)
      .map(({ id, score }) => ({
        id: id as number,
        score: score * (0.4 + covered(id as number, [...asked, ...fromContext])),
      }))
      .sort((a, b) => b.score - a.score);
  }
}

/** The closeness of a passage, plus a share of its best sentence's closeness. */
function closenessOf(passage: Passage, { closeness }: Meaning): number {
  const sentences = passage.sentences.map(
    (sentence) => closeness.get(embeddedSentence(passage, sentence)) ?? 0,
  );
  return (closeness.get(embeddedText(passage)) ?? 0) + SENTENCE_SHARE * Math.max(0, ...sentences);
}

/** The text that a model reads for a sentence of a passage. */
export const embeddedSentence = ({ heading }: Passage, sentence: string): string =>
  heading === '' || sentence === heading ? sentence : `${heading}: ${sentence}`;

/** The text that a model reads for a passage. */
export const embeddedText = (passage: Passage): string => {
  const text = textOf(passage);
  return passage.heading === '' || text.startsWith(passage.heading) ? text : `${passage.heading}: ${text}`;
};
