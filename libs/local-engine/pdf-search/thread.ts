import type { Citation, PdfChatMessage } from '#libs/contract/pdf-chats.js';
import { answerByRules, answerOffline, type OfflineQuestion } from './answer.js';
import { checkAnswer, type CheckedAnswer, type CheckOptions } from './check-answer.js';
import { chooseExcerpts, fitsWhole, type Excerpt } from './choose-passages.js';
import { QuotablePage } from './find-quote.js';
import { pagesAskedFor } from './page-question.js';
import { contextOf, embeddedQuestion, isAboutWhole } from './question.js';
import { embeddedSentence, embeddedText, indexPassages, type Meaning, type PassageIndex } from './search.js';

// The entry of a text thread (see thread-pool.ts): each exported function is a task.

interface Asked {
  pages: string[];
  question: string;
  history: PdfChatMessage[];
  meaning?: Meaning | null;
  budgetTokens: number;
}

type Candidates = Pick<Asked, 'pages' | 'question' | 'history'> & {
  meaning: Pick<Meaning, 'question' | 'vectors'>;
  /** Of the excerpts, where they are chosen for an AI service. */
  budgetTokens?: number;
};

/** What a model reads to answer a question by meaning. */
export interface TextsToEmbed {
  question: string;
  /** Those first that share words with the question, then in the order of the document. */
  passages: string[];
}

/** Longer documents are searched by meaning in so many passages, some 400 pages, and beyond them by words. */
const MOST_EMBEDDED = 2_000;

/** A passage has some 4 sentences; a list has more. */
const MOST_SENTENCES_OF_PASSAGE = 24;

/** The passages that may answer, and their sentences: which of them does is told by comparing them word by word. */
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
    // An AI service is given excerpts of other pages too, after those that the question names.
    pages: budgetTokens === undefined ? pagesAskedFor(question, pages.length) : null,
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

/** Null for a question that rules answer. */
export function textsToEmbed(asked: OfflineQuestion): TextsToEmbed | null {
  const index = indexPassages(asked.pages);
  return answerByRules(index, asked) ? null : textsOf(index, asked);
}

/** Of a document from which excerpts are chosen; null where none are chosen by what the question means. */
export function textsToChooseFrom({ budgetTokens, ...asked }: Asked): TextsToEmbed | null {
  const index = indexPassages(asked.pages);
  return isAboutWhole(asked.question) || fitsWhole(index, budgetTokens) ? null : textsOf(index, asked);
}

function textsOf(
  index: PassageIndex,
  { question, history }: Pick<Asked, 'question' | 'history'>,
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

/** The text of a document for a model's answer. */
export function excerpts({ pages, question, history, meaning, budgetTokens }: Asked): Excerpt[] {
  const index = indexPassages(pages);
  const context = contextOf(question, history, index.terms);
  return chooseExcerpts(
    index,
    {
      text: question,
      context,
      isAboutWhole: isAboutWhole(question),
      pages: pagesAskedFor(question, pages.length),
      meaning,
    },
    budgetTokens,
  );
}

/** An answer of quotations, as pieces of Markdown. */
export function answer(asked: OfflineQuestion): { pieces: string[]; citations: Citation[] } {
  const { pieces, quotes } = answerOffline(indexPassages(asked.pages), asked);
  // The quotations come from the pages, so a missing one is a bug.
  const citations = quotes.flatMap(({ page, quote }) => {
    const found = new QuotablePage(asked.pages[page - 1] ?? '').find(quote);
    return found ? [{ page, quote: found }] : [];
  });
  if (citations.length < quotes.length)
    throw new Error('A passage does not stand on the page it was cut from.');
  return { pieces, citations };
}

/** A model's answer with the quotations that stand in the document. */
export const check = ({ answer, ...options }: CheckOptions & { answer: string }): CheckedAnswer =>
  checkAnswer(answer, options);
