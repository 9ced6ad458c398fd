import type { Citation, PdfChatMessage } from '#libs/contract/pdf-chats.js';
import { answerOffline, type OfflineQuestion } from './answer.js';
import { checkAnswer, type CheckedAnswer, type CheckOptions } from './check-answer.js';
import { chooseExcerpts, type Excerpt } from './choose-passages.js';
import { QuotablePage } from './find-quote.js';
import { contextOf, isAboutWhole } from './question.js';
import { indexPassages } from './search.js';

// The entry of a text thread (see thread-pool.ts): each exported function is a task.

interface Asked {
  pages: string[];
  question: string;
  history: PdfChatMessage[];
  budgetTokens: number;
}

/** The text of a document for a model's answer. */
export function excerpts({ pages, question, history, budgetTokens }: Asked): Excerpt[] {
  const index = indexPassages(pages);
  const context = contextOf(question, history, index.terms);
  return chooseExcerpts(
    index,
    { text: question, context, isAboutWhole: isAboutWhole(question) },
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
