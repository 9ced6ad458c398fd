import type { PdfChatMessage } from '#libs/contract/pdf-chats.js';
import { escapeMarkdown } from '#libs/local-engine/text/markdown-text.js';
import { contextOf, isAboutWhole } from './question.js';
import { headingsOf } from './headings.js';
import { joinText, textOf, type Passage } from './passages.js';
import { withoutRunningLines } from './running-lines.js';
import type { PassageIndex } from './search.js';

export interface OfflineQuestion {
  question: string;
  history: PdfChatMessage[];
  fileName: string;
  pages: string[];
}

/** Below this weighted share of a question's terms, the document has no answer. */
export const FEWEST_COVERED = 0.45;

const MOST_PASSAGES = 3;
/** Passages below this share of the best score are left out. */
const WORST_SCORE = 0.4;
const QUOTE_CHARACTERS = 360;
const OPENING_CHARACTERS = 900;
const MOST_HEADINGS = 15;

/** An answer of quotations: pieces of Markdown, and each quotation with its page. */
export interface OfflineAnswer {
  pieces: string[];
  quotes: { page: number; quote: string }[];
}

/** Answers with the best passages, the document's beginning, or that nothing was found. */
export function answerOffline(index: PassageIndex, asked: OfflineQuestion): OfflineAnswer {
  return isAboutWhole(asked.question) ? opening(index, asked) : passagesFor(index, asked);
}

function passagesFor(index: PassageIndex, { question, history, fileName }: OfflineQuestion): OfflineAnswer {
  const context = contextOf(question, history, index.terms);
  const { hits, coverage } = index.search(question, context);
  const best = hits[0];
  if (!best || coverage < FEWEST_COVERED) return notFound(fileName);
  const wanted = new Set(index.terms.of(`${question} ${context}`));
  const quotes: { page: number; quote: string }[] = [];
  for (const { passage, score } of hits) {
    if (quotes.length === MOST_PASSAGES || score < best.score * WORST_SCORE) break;
    const quote = excerptOf(passage, wanted, index);
    if (!quotes.some((known) => known.page === passage.page && overlaps(known.quote, quote))) {
      quotes.push({ page: passage.page, quote });
    }
  }
  const found = quotes.length === 1 ? 'The passage' : `The ${quotes.length} passages`;
  return {
    pieces: [
      `${found} of **${escapeMarkdown(fileName)}** that fit${quotes.length === 1 ? 's' : ''} your question best:`,
      ...quotes.map(asBlock),
      '*Found on this server by the words of your question, and quoted as they stand. It does not interpret them or put them together.*',
    ],
    quotes,
  };
}

function notFound(fileName: string): OfflineAnswer {
  return {
    pieces: [
      `This does not seem to be in **${escapeMarkdown(fileName)}**: no passage has enough of the words of your question.`,
      '*This server searches by words and does not know other ways to say the same. Try words that the document itself may use.*',
    ],
    quotes: [],
  };
}

function opening(index: PassageIndex, { fileName, pages }: OfflineQuestion): OfflineAnswer {
  const first = index.passages[0];
  if (!first) return notFound(fileName);
  const sentences = index.passages
    .filter(({ page }) => page === first.page)
    .flatMap((passage) => passage.sentences);
  const quote = upTo(dedupe(sentences), OPENING_CHARACTERS);
  const headings = withoutRunningLines(pages)
    .flatMap((page, at) => headingsOf(page).map((heading) => ({ heading, page: at + 1 })))
    .slice(0, MOST_HEADINGS);
  return {
    pieces: [
      `This server cannot summarise. This is how **${escapeMarkdown(fileName)}** (${pages.length} ${pages.length === 1 ? 'page' : 'pages'}) opens:`,
      asBlock({ page: first.page, quote }),
      ...(headings.length > 1
        ? [
            `Its headings, as far as they can be told from the text:\n\n${headings
              .map(({ heading, page }) => `- ${escapeMarkdown(heading)} [p. ${page}]`)
              .join('\n')}`,
          ]
        : []),
      '*Quoted as it stands. For a summary, ask about one of its subjects.*',
    ],
    quotes: [{ page: first.page, quote }],
  };
}

/** As many sentences as fit around the one that covers most of the question. */
function excerptOf(passage: Passage, wanted: ReadonlySet<string>, index: PassageIndex): string {
  const text = textOf(passage);
  if (text.length <= QUOTE_CHARACTERS) return text;
  const { sentences } = passage;
  const worth = sentences.map((sentence) =>
    [...new Set(index.terms.of(sentence))].reduce(
      (sum, term) => sum + (wanted.has(term) ? index.weight(term) : 0),
      0,
    ),
  );
  let start = worth.indexOf(Math.max(...worth));
  let end = start + 1;
  const length = () => sentences.slice(start, end).join(' ').length;
  for (;;) {
    const [before, after] = [
      start > 0 ? (worth[start - 1] ?? 0) : -1,
      end < sentences.length ? (worth[end] ?? 0) : -1,
    ];
    if (before < 0 && after < 0) break;
    // The next sentence explains more often than the previous one.
    const goBack = before > after;
    if (goBack) start -= 1;
    else end += 1;
    if (length() <= QUOTE_CHARACTERS) continue;
    if (goBack) start += 1;
    else end -= 1;
    break;
  }
  return sentences.slice(start, end).reduce(joinText, '');
}

function upTo(sentences: string[], characters: number): string {
  let text = sentences[0] ?? '';
  for (const sentence of sentences.slice(1)) {
    if (text.length + sentence.length > characters) break;
    text = joinText(text, sentence);
  }
  return text;
}

/** Consecutive passages share a sentence. */
const dedupe = (sentences: string[]) => sentences.filter((sentence, at) => sentence !== sentences[at - 1]);

const overlaps = (one: string, other: string) => one.includes(other) || other.includes(one);

const asBlock = ({ page, quote }: { page: number; quote: string }) =>
  `> “${escapeMarkdown(quote)}” [p. ${page}]`;
