import type { Citation } from '#libs/contract/pdf-chats.js';
import { escapeMarkdown } from '#libs/local-engine/text/markdown-text.js';
import { parseContactQuestion } from './contact.js';
import { asksForListing } from './contents.js';
import { findContact } from './find-contact.js';
import type { PageQuestion } from './page-question.js';
import { queryOf, type AskedQuestion, type Query } from './question.js';
import { headingsOf } from './headings.js';
import { joinText, textOf, type Passage } from './passages.js';
import { parseSectionQuestion, passagesOfSection, passagesUnderHeading } from './section-question.js';
import { withoutRunningLines } from './running-lines.js';
import { embeddedSentence, type Meaning, type PassageIndex } from './search.js';

const MOST_PASSAGES = 3;
/** Passages below this share of the best score are left out. */
const WORST_SCORE = { byWords: 0.4, byMeaning: 0.85 };
const QUOTE_CHARACTERS = 360;
/** Length of the excerpt when no sentence contains a word of the question. */
const WHOLE_PASSAGE_CHARACTERS = 700;
/** Weight of a sentence's words in choosing the excerpt, next to its closeness of at most 1. */
const WORDS_SHARE = 0.3;
const OPENING_CHARACTERS = 900;
const PAGE_CHARACTERS = 2_400;
const MOST_PAGES = 3;
const MOST_CONTENTS = 5;
const MOST_HEADINGS = 15;
const HINT_BY_MEANING =
  '*This server compares the meaning of your question with that of each passage. Ask for one thing at a time, or use other words.*';
const HINT_BY_WORDS =
  '*This server searches by words and does not know all synonyms. Try words that the document may use.*';

/** An answer in quotations: pieces of Markdown, and each quotation with its page. */
export interface OfflineAnswer {
  pieces: string[];
  quotes: Citation[];
  /** The document does not seem to contain an answer; the quotation is the closest passage. */
  isUncertain?: true;
}

/** Quotations between the text before and after them. */
const quoting = (before: string, quotes: Citation[], ...after: string[]): OfflineAnswer => ({
  pieces: [before, ...quotes.map(asBlock), ...after],
  quotes,
});

/** Answers with the best passages, a page, the document's beginning, or with the message that nothing was found. */
export function answerOffline(index: PassageIndex, asked: AskedQuestion): OfflineAnswer {
  const query = queryOf(index, asked);
  return answerByRules(index, asked, query) ?? passagesFor(index, asked, query);
}

/** Answers a question for a page, a section, the whole document or a contact fact; null for other questions. */
export function answerByRules(index: PassageIndex, asked: AskedQuestion, query: Query): OfflineAnswer | null {
  const named = query.pages;
  if (named?.isWhole) return wholePages(index, asked, named);
  if (named && (named.first > asked.pages.length || named.first < 1)) return noSuchPage(asked, named);
  if (named) return null;
  const section = sectionFor(index, asked);
  if (section) return section;
  const listing = asksForListing(asked.question) ? contentsOf(index, asked) : null;
  if (listing) return listing;
  if (query.isAboutWhole) return opening(index, asked);
  return contactFor(index, asked) ?? underHeading(index, asked, query);
}

/** The requested phone number, email or web address; null when the question is about something else. */
function contactFor(index: PassageIndex, asked: AskedQuestion): OfflineAnswer | null {
  const contact = parseContactQuestion(asked.question);
  if (!contact) return null;
  const found = findContact(index, contact, asked.pages.length);
  if (found.length > 0) return bestOf(asked, found, `by the form of ${aOrAn(contact.name)}`);
  return contact.isExplicit ? notFound(asked, `it has no ${contact.name} that fits`) : null;
}

function passagesFor(index: PassageIndex, asked: AskedQuestion, query: Query): OfflineAnswer {
  const { meaning } = asked;
  const { text, context, pages } = query;
  const { hits, isAnswered, isNear } = index.search(text, { context, meaning, pages });
  const best = hits[0];
  const isFound = isAnswered || pages !== null;
  if (!best || (!isFound && !isNear)) return notFound(asked);
  const wanted = new Set(index.terms.of(`${text} ${context}`));
  const least = best.score * (meaning ? WORST_SCORE.byMeaning : WORST_SCORE.byWords);
  const used = new Set<string>();
  const quotes: Citation[] = [];
  for (const { passage, score } of hits) {
    if (quotes.length === (isFound ? MOST_PASSAGES : 1) || score < least) break;
    const sentences = excerptOf(passage, unquoted(passage, used), wanted, index, meaning ?? null);
    if (sentences.length === 0) continue;
    for (const sentence of sentences) used.add(sentence);
    quotes.push({ page: passage.page, quote: sentences.reduce(joinText, '') });
  }
  if (!isFound) return closest(asked, quotes);
  return bestOf(asked, quotes, `by the ${meaning ? 'meaning' : 'words'} of your question`);
}

function bestOf({ fileName }: AskedQuestion, quotes: Citation[], how: string): OfflineAnswer {
  const found = quotes.length === 1 ? 'The passage' : `The ${quotes.length} passages`;
  return quoting(
    `${found} of **${escapeMarkdown(fileName)}** that fit${quotes.length === 1 ? 's' : ''} your question best:`,
    quotes,
    `*Found on this server ${how}, and quoted word for word. It does not interpret or combine passages.*`,
  );
}

function closest({ fileName }: AskedQuestion, quotes: Citation[]): OfflineAnswer {
  const before = `This does not seem to be in **${escapeMarkdown(fileName)}**, at least not in these words. The passage that comes closest:`;
  return { ...quoting(before, quotes, HINT_BY_MEANING), isUncertain: true };
}

function notFound({ fileName, meaning }: AskedQuestion, why?: string): OfflineAnswer {
  const reason =
    why ??
    (meaning
      ? 'no passage says anything close to it'
      : 'no passage has enough of the words of your question');
  const before = `This does not seem to be in **${escapeMarkdown(fileName)}**: ${reason}.`;
  return quoting(before, [], meaning ? HINT_BY_MEANING : HINT_BY_WORDS);
}

/** The document's table of contents; null when none was recognised. */
function contentsOf(index: PassageIndex, { fileName }: AskedQuestion): OfflineAnswer | null {
  const quotes = index.passages
    .filter(({ isContents }) => isContents)
    .slice(0, MOST_CONTENTS)
    .map((passage) => ({ page: passage.page, quote: textOf(passage) }));
  if (quotes.length === 0) return null;
  return quoting(`**${escapeMarkdown(fileName)}** lists its contents:`, quotes, '*Quoted word for word.*');
}

function wholePages(index: PassageIndex, asked: AskedQuestion, named: PageQuestion): OfflineAnswer {
  if (named.first > asked.pages.length || named.first < 1) return noSuchPage(asked, named);
  const { fileName, pages } = asked;
  const last = Math.min(named.last, named.first + MOST_PAGES - 1, pages.length);
  const used = new Set<string>();
  const quotes: Citation[] = [];
  const empty: number[] = [];
  let isCut = false;
  for (let page = named.first; page <= last; page += 1) {
    const passages = index.passages.filter((passage) => passage.page === page);
    if (passages.length === 0) empty.push(page);
    const taken = quoteWhole(passages, PAGE_CHARACTERS / (last - named.first + 1), used);
    quotes.push(...taken.quotes);
    isCut ||= taken.isCut;
  }
  const where = last > named.first ? `Pages ${named.first} to ${last}` : `Page ${named.first}`;
  return quoting(
    `${where} of **${escapeMarkdown(fileName)}** (${countPages(pages.length)}):`,
    quotes,
    ...empty.map((page) => `Page ${page} has no text: it may be empty or a picture.`),
    wordForWord(isCut || last < named.last),
  );
}

/** The text of the section whose number a question names; null when there is no such number or section. */
function sectionFor(index: PassageIndex, { question, fileName }: AskedQuestion): OfflineAnswer | null {
  const number = parseSectionQuestion(question);
  const passages = number === null ? [] : passagesOfSection(index.passages, number);
  if (passages.length === 0) return null;
  const { quotes, isCut } = quoteWhole(passages, PAGE_CHARACTERS, new Set());
  return quoting(`Section ${number} of **${escapeMarkdown(fileName)}**:`, quotes, wordForWord(isCut));
}

/** The text below the headings that name the subject of a question for all about it; null without such a heading. */
function underHeading(
  index: PassageIndex,
  { fileName }: AskedQuestion,
  { subject }: Query,
): OfflineAnswer | null {
  const passages = subject === null ? [] : passagesUnderHeading(index, subject);
  const heading = passages[0]?.heading;
  if (!heading) return null;
  const { quotes, isCut } = quoteWhole(passages, PAGE_CHARACTERS, new Set());
  const before = `This server cannot summarise. This is the part “${escapeMarkdown(heading)}” of **${escapeMarkdown(fileName)}**:`;
  return quoting(before, quotes, wordForWord(isCut));
}

const wordForWord = (isCut: boolean) =>
  `*Quoted word for word${isCut ? ' and shortened: open the page to read on' : ''}.*`;

/** Quotes passages in order, up to `characters`, and skips the sentences in `used`. Adds the quoted sentences to `used`. */
function quoteWhole(passages: readonly Passage[], characters: number, used: Set<string>) {
  const quotes: Citation[] = [];
  let left = characters;
  let isCut = false;
  for (const passage of passages) {
    const sentences = unquoted(passage, used);
    if (sentences.length === 0) continue;
    const quote = upTo(sentences, Math.max(left, 1));
    isCut ||= left <= 0 || quote.length < sentences.reduce(joinText, '').length;
    if (left <= 0) break;
    left -= quote.length;
    for (const sentence of sentences) used.add(sentence);
    quotes.push({ page: passage.page, quote });
  }
  return { quotes, isCut };
}

function noSuchPage({ fileName, pages }: AskedQuestion, { first }: PageQuestion): OfflineAnswer {
  return quoting(
    `**${escapeMarkdown(fileName)}** has ${countPages(pages.length)}; there is no page ${first}.`,
    [],
    '*Pages are counted from the first page of the file; printed page numbers may differ.*',
  );
}

function opening(index: PassageIndex, asked: AskedQuestion): OfflineAnswer {
  const { fileName, pages } = asked;
  const first = index.passages[0];
  if (!first) return notFound(asked);
  const sentences = index.passages
    .filter(({ page }) => page === first.page)
    .flatMap((passage) => passage.sentences);
  const quote = upTo(dedupe(sentences), OPENING_CHARACTERS);
  const headings = withoutRunningLines(pages)
    .flatMap((page, at) => headingsOf(page).map((heading) => ({ heading, page: at + 1 })))
    .slice(0, MOST_HEADINGS);
  const list = headings.map(({ heading, page }) => `- ${escapeMarkdown(heading)} [p. ${page}]`).join('\n');
  return quoting(
    `This server cannot summarise. This is the beginning of **${escapeMarkdown(fileName)}** (${countPages(pages.length)}):`,
    [{ page: first.page, quote }],
    ...(headings.length > 1 ? [`Headings that were recognised in the text:\n\n${list}`] : []),
    '*Quoted word for word. Ask about one of its subjects to read more.*',
  );
}

/** A passage's sentences without the already quoted ones at its beginning and end. */
function unquoted({ sentences }: Passage, used: ReadonlySet<string>): string[] {
  const isNew = (sentence: string) => !used.has(sentence);
  const first = sentences.findIndex(isNew);
  return first < 0 ? [] : sentences.slice(first, sentences.findLastIndex(isNew) + 1);
}

/** As many sentences as fit, around the one that matches the question best. */
function excerptOf(
  passage: Passage,
  sentences: string[],
  wanted: ReadonlySet<string>,
  index: PassageIndex,
  meaning: Meaning | null,
): string[] {
  const words = sentences.map((sentence) =>
    [...new Set(index.terms.of(sentence))].reduce(
      (sum, term) => sum + (wanted.has(term) ? index.weight(term) : 0),
      0,
    ),
  );
  const mostWords = Math.max(0, ...words);
  const worth = sentences.map((sentence, at) => {
    const close = meaning?.closeness.get(embeddedSentence(passage, sentence)) ?? 0;
    return close + (WORDS_SHARE * (words[at] ?? 0)) / (mostWords || 1);
  });
  const most = Math.max(0, ...worth) > 0 ? QUOTE_CHARACTERS : WHOLE_PASSAGE_CHARACTERS;
  if (sentences.join(' ').length <= most) return sentences;
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
    if (length() <= most) continue;
    if (goBack) start += 1;
    else end -= 1;
    break;
  }
  return sentences.slice(start, end);
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

const countPages = (count: number) => `${count} ${count === 1 ? 'page' : 'pages'}`;

const aOrAn = (name: string) => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;

const asBlock = ({ page, quote }: Citation) => `> “${escapeMarkdown(quote)}” [p. ${page}]`;
