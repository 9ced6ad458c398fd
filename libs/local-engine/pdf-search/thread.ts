import type { Citation, PdfChatMessage } from '#libs/contract/pdf-chats.js';
import { answerByRules, answerOffline, type OfflineQuestion } from './answer.js';
import { checkAnswer, type CheckedAnswer, type CheckOptions } from './check-answer.js';
import { chooseExcerpts, fitsWhole, type Excerpt } from './choose-passages.js';
import { QuotablePage } from '#libs/local-engine/text/find-quote.js';
import { parsePageQuestion } from './page-question.js';
import { contextOf, embeddedQuestion, isAboutWhole } from './question.js';
import { embeddedSentence, embeddedText, indexPassages, type Meaning, type PassageIndex } from './search.js';

// The entry of a text thread (see thread-pool.ts): each exported function is a task.

interface ExcerptRequest {
  pages: string[];
  question: string;
  history: PdfChatMessage[];
  meaning?: Meaning | null;
  budgetTokens: number;
}

type Candidates = Pick<ExcerptRequest, 'pages' | 'question' | 'history'> & {
  meaning: Pick<Meaning, 'question' | 'vectors'>;
  /** The budget of the excerpts for an AI service; undefined for an answer of this server. */
  budgetTokens?: number;
};

/** The texts that a model reads to answer a question by meaning. */
export interface TextsToEmbed {
  question: string;
  /** Passages that share words with the question come first, then the others in document order. */
  passages: string[];
}

/** Passages searched by meaning, about 400 pages; the rest of a longer document is searched by words. */
const MOST_EMBEDDED = 2_000;

/** A passage has about 4 sentences; a list has more. */
const MOST_SENTENCES_OF_PASSAGE = 24;

/** The texts to compare word by word: candidate passages for the answer, and their sentences. */
export function textsToCompare({
  pages,
  question,
  history,
  meaning,
  budgetTokens,
}: Candidates): TextsToEmbed {
  const index = indexPassages(pages);
  const context = contextOf(question, history, index.terms);
  const passages = index.candidates(question, {
    context,
    meaning,
    // An AI service also receives excerpts of other pages than the question names.
    pages: budgetTokens === undefined ? parsePageQuestion(question, pages.length) : null,
  });
  const sentences = passages.flatMap((passage) =>
    passage.sentences
      .slice(0, MOST_SENTENCES_OF_PASSAGE)
      .map((sentence) => embeddedSentence(passage, sentence)),
  );
  return {
    question: embeddedQuestion(question, context, index.terms),
    passages: [...new Set([...passages.map(embeddedText), ...sentences])],
  };
}

/** The texts to embed for an answer of this server; null for a question that rules answer. */
export function textsToEmbed(asked: OfflineQuestion): TextsToEmbed | null {
  const index = indexPassages(asked.pages);
  return answerByRules(index, asked) ? null : textsOf(index, asked);
}

/** The texts to embed for choosing excerpts; null when excerpts are not chosen by meaning. */
export function textsToChooseFrom({ budgetTokens, ...asked }: ExcerptRequest): TextsToEmbed | null {
  const index = indexPassages(asked.pages);
  return isAboutWhole(asked.question) || fitsWhole(index, budgetTokens) ? null : textsOf(index, asked);
}

function textsOf(
  index: PassageIndex,
  { question, history }: Pick<ExcerptRequest, 'question' | 'history'>,
): TextsToEmbed {
  const context = contextOf(question, history, index.terms);
  const { hits } = index.search(question, { context });
  const ordered = [...hits.map(({ passage }) => passage), ...index.passages].filter(
    ({ isContents }) => !isContents,
  );
  return {
    question: embeddedQuestion(question, context, index.terms),
    passages: [...new Set(ordered.map(embeddedText))].slice(0, MOST_EMBEDDED),
  };
}

/** The excerpts of a document for an AI service. */
export function excerpts({ pages, question, history, meaning, budgetTokens }: ExcerptRequest): Excerpt[] {
  const index = indexPassages(pages);
  const context = contextOf(question, history, index.terms);
  return chooseExcerpts(
    index,
    {
      text: question,
      context,
      isAboutWhole: isAboutWhole(question),
      pages: parsePageQuestion(question, pages.length),
      meaning,
    },
    budgetTokens,
  );
}

/** An answer in quotations, as pieces of Markdown. */
export function answer(asked: OfflineQuestion): { pieces: string[]; citations: Citation[] } {
  const { pieces, quotes } = answerOffline(indexPassages(asked.pages), asked);
  // The quotations come from the pages, so a missing one is a bug.
  const citations = quotes.flatMap(({ page, quote }) => {
    const found = new QuotablePage(asked.pages[page - 1] ?? '').find(quote);
    return found ? [{ page, quote: found }] : [];
  });
  if (citations.length < quotes.length) throw new Error('A quotation is not on its page.');
  return { pieces, citations };
}

/** Checks the quotations of a model's answer. */
export const check = ({ answer, ...options }: CheckOptions & { answer: string }): CheckedAnswer =>
  checkAnswer(answer, options);
