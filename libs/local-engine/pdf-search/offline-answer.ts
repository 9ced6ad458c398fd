import type { Citation } from '#libs/contract/pdf-chats.js';
import { labelOf, pageMark } from '#libs/local-engine/pdf-questions/page-labels.js';
import { escapeMarkdown, inlineCode } from '#libs/local-engine/text/markdown-text.js';
import type { AskedQuestion } from './question.js';

/** An answer in quotations: pieces of Markdown, and each quotation with its page. */
export interface OfflineAnswer {
  pieces: string[];
  quotes: Citation[];
  /** The document does not seem to contain an answer; the quotation is the closest passage. */
  isUncertain?: true;
}

/** Quotations between the text before and after them. */
export function quoting(
  { labels = null }: AskedQuestion,
  before: string,
  quotes: readonly Pick<Citation, 'page' | 'quote'>[],
  ...after: string[]
): OfflineAnswer {
  const blocks = quotes.map(({ page, quote }) => `> “${escapeMarkdown(quote)}” ${pageMark(page, labels)}`);
  return {
    pieces: [before, ...blocks, ...after],
    quotes: quotes.map(({ page, quote }) => {
      const label = labelOf(page, labels);
      return { page, ...(label !== null && { label }), quote };
    }),
  };
}

/** The name of the document in an answer; of several documents, their number. */
export const nameOf = ({ fileName, starts }: AskedQuestion): string =>
  starts ? `your ${starts.length} documents` : inlineCode(fileName);

const HINT_BY_MEANING =
  '*This server compares the meaning of your question with that of each passage. Ask for one thing at a time, or use other words.*';
const HINT_BY_WORDS =
  '*This server searches by words and does not know all synonyms. Try words that the document may use.*';

export function bestOf(asked: AskedQuestion, quotes: Citation[], how: string): OfflineAnswer {
  const found = quotes.length === 1 ? 'The passage' : `The ${quotes.length} passages`;
  return quoting(
    asked,
    `${found} of ${nameOf(asked)} that fit${quotes.length === 1 ? 's' : ''} your question best:`,
    quotes,
    `*Found on this server ${how}, and quoted word for word. It does not interpret or combine passages.*`,
  );
}

export function closest(asked: AskedQuestion, quotes: Citation[]): OfflineAnswer {
  const passages =
    quotes.length === 1
      ? 'Closest passage, which does not answer it:'
      : 'Closest passages, which do not answer it:';
  const before = `This does not seem to be in ${nameOf(asked)}, at least not in these words.\n\n**${passages}**`;
  const hint = asked.meaning ? HINT_BY_MEANING : HINT_BY_WORDS;
  return { ...quoting(asked, before, quotes, hint), isUncertain: true };
}

export function notFound(asked: AskedQuestion, why?: string): OfflineAnswer {
  const reason =
    why ??
    (asked.meaning
      ? 'no passage says anything close to it'
      : 'no passage has enough of the words of your question');
  const before = `This does not seem to be in ${nameOf(asked)}: ${reason}.`;
  return quoting(asked, before, [], asked.meaning ? HINT_BY_MEANING : HINT_BY_WORDS);
}

export const countPages = (count: number) => `${count} ${count === 1 ? 'page' : 'pages'}`;
