import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Citation } from '#libs/contract/pdf-chats.js';
import { answerForeign } from './answer-foreign.js';
import { answerByRules, answerOffline } from './answer.js';
import { checkAnswer, type CheckedAnswer, type CheckOptions } from './check-answer.js';
import { chooseExcerpts, fitsWhole, type Excerpt } from './choose-passages.js';
import { QuotablePage } from '#libs/local-engine/text/find-quote.js';
import { outlineFrom, type Outline } from './outline.js';
import { queryOf, type AskedQuestion, type Query } from './question.js';
import { embeddedSentence, embeddedText, indexPassages, type Meaning, type PassageIndex } from './search.js';

// The entry of a text thread (see thread-pool.ts): each exported function is a task.

/** Indexes of recent documents, because a question needs its document's index up to three times. The size is in characters. */
const indexes = new LRUCache<string, PassageIndex>({ max: 4, maxSize: 6_000_000 });

function indexOf({ pages, starts }: Pick<AskedQuestion, 'pages' | 'starts'>): PassageIndex {
  const hash = createHash('sha256').update(JSON.stringify(starts ?? null));
  for (const page of pages) hash.update(`${page.length} ${page}`);
  const key = hash.digest('base64url');
  const index = indexes.get(key) ?? indexPassages(pages, starts);
  indexes.set(key, index, { size: 1 + pages.reduce((sum, page) => sum + page.length, 0) });
  return index;
}

interface ExcerptRequest extends AskedQuestion {
  budgetTokens: number;
}

type Candidates = Omit<AskedQuestion, 'meaning'> & {
  meaning: Omit<Meaning, 'closeness'>;
  /** The budget of the excerpts for an AI service; undefined for an answer of this server. */
  budgetTokens?: number;
};

/** The texts of a document that a model reads in advance, in the document's order. */
export function textsOfDocument({ pages }: { pages: string[] }): string[] {
  const { passages } = indexOf({ pages });
  const texts = passages.filter(({ isContents }) => !isContents).map(embeddedText);
  return [...new Set(texts)].slice(0, MAX_EMBEDDED);
}

/** The texts that a model reads to answer a question by meaning. */
export interface TextsToEmbed {
  question: string;
  /** Passages that share words with the question come first, then the others in document order. */
  passages: string[];
}

export interface PassagesToEmbed extends TextsToEmbed {
  /** The page of each passage. */
  pages: number[];
}

/** Passages searched by meaning, about 400 pages; the rest of a longer document is searched by words. */
const MAX_EMBEDDED = 2_000;

/** A passage has about 4 sentences; a list has more. */
const MAX_SENTENCES_OF_PASSAGE = 24;

/** The texts to compare word by word: candidate passages for the answer, and their sentences. */
export function textsToCompare({ meaning, budgetTokens, ...asked }: Candidates): TextsToEmbed {
  const index = indexOf(asked);
  const { text, context, sentence, pages } = queryOf(index, asked);
  const passages = index.candidates(text, {
    context,
    meaning,
    // An AI service also receives excerpts of other pages than the question names.
    pages: budgetTokens === undefined ? pages : null,
  });
  const sentences = passages.flatMap((passage) =>
    passage.sentences.slice(0, MAX_SENTENCES_OF_PASSAGE).map((each) => embeddedSentence(passage, each)),
  );
  return { question: sentence, passages: [...new Set([...passages.map(embeddedText), ...sentences])] };
}

/** The texts to embed for an answer of this server; null for a question that rules answer. */
export function textsToEmbed(asked: AskedQuestion): PassagesToEmbed | null {
  const index = indexOf(asked);
  const query = queryOf(index, asked);
  const isAnswered = answerByRules(index, asked, query) ?? answerForeign(index, asked);
  return isAnswered ? null : textsOf(index, query);
}

/** The texts to embed for choosing excerpts; null when excerpts are not chosen by meaning. */
export function textsToChooseFrom({ budgetTokens, ...asked }: ExcerptRequest): PassagesToEmbed | null {
  const index = indexOf(asked);
  const query = queryOf(index, asked);
  return query.isAboutWhole || fitsWhole(index, budgetTokens) ? null : textsOf(index, query);
}

function textsOf(index: PassageIndex, { text, context, sentence }: Query): PassagesToEmbed {
  const { hits } = index.search(text, { context });
  const ordered = [...hits.map(({ passage }) => passage), ...index.passages].filter(
    ({ isContents }) => !isContents,
  );
  const pages = new Map<string, number>();
  for (const passage of ordered) {
    if (pages.size === MAX_EMBEDDED) break;
    const text = embeddedText(passage);
    if (!pages.has(text)) pages.set(text, passage.page);
  }
  return { question: sentence, passages: [...pages.keys()], pages: [...pages.values()] };
}

/** The excerpts of a document for an AI service. */
export function excerpts({ budgetTokens, ...asked }: ExcerptRequest): Excerpt[] {
  const index = indexOf(asked);
  return chooseExcerpts(
    index,
    { ...queryOf(index, asked), meaning: asked.meaning, starts: asked.starts },
    budgetTokens,
  );
}

export { languagesOf as languages } from './answer-foreign.js';

/** An answer in quotations, as pieces of Markdown. */
export function answer(asked: AskedQuestion): { pieces: string[]; citations: Citation[] } {
  const { pieces, quotes } = answerOffline(indexOf(asked), asked);
  // The quotations come from the pages. One of signs alone, as in source code, is not found again, and stays as it is.
  const citations = quotes.map(({ quote, ...place }) => {
    const page = new QuotablePage(asked.pages[place.page - 1] ?? '');
    return { ...place, quote: page.find(quote) ?? quote };
  });
  return { pieces, citations };
}

/** The opening and the headings of a document. */
export const outlineOf = ({ pages }: { pages: string[] }): Outline => outlineFrom(indexOf({ pages }), pages);

/** Checks the quotations of a model's answer. */
export const check = ({ answer, ...options }: CheckOptions & { answer: string }): CheckedAnswer =>
  checkAnswer(answer, options);
