import type { Citation } from '#libs/contract/pdf-chats.js';
import { notFound, quoting, type OfflineAnswer } from './offline-answer.js';
import { joinText } from './passages.js';
import type { AskedQuestion } from './question.js';
import type { PassageIndex } from './search.js';

const OPENING_CHARACTERS = 400;
const MAX_DOCUMENTS = 20;

/** The beginnings of several documents. @param starts index of each document's first page */
export function openings(
  index: PassageIndex,
  asked: AskedQuestion,
  starts: readonly number[],
): OfflineAnswer {
  const quotes = openingsOf(index, starts);
  if (quotes.length === 0) return notFound(asked);
  const shown =
    quotes.length < starts.length ? `the first ${quotes.length} of your documents` : 'your documents';
  return quoting(
    asked,
    `This server cannot summarise. These are the beginnings of ${shown}:`,
    quotes,
    '*Quoted word for word. Ask about one of their subjects to read more.*',
  );
}

function openingsOf({ passages }: Pick<PassageIndex, 'passages'>, starts: readonly number[]): Citation[] {
  return starts.slice(0, MAX_DOCUMENTS).flatMap((start, at) => {
    const end = starts[at + 1] ?? Infinity;
    const first = passages.find(({ page }) => page > start && page <= end);
    if (!first) return [];
    let quote = '';
    for (const sentence of first.sentences) {
      if (quote !== '' && quote.length + sentence.length > OPENING_CHARACTERS) break;
      quote = joinText(quote, sentence);
    }
    return [{ page: first.page, quote }];
  });
}
