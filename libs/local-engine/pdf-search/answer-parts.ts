import type { Citation } from '#libs/contract/pdf-chats.js';
import { labelOf, labelRanges, nameOfPage, pageMark } from '#libs/local-engine/pdf-questions/page-labels.js';
import type { PageQuestion } from '#libs/local-engine/pdf-questions/page-question.js';
import { escapeMarkdown } from '#libs/local-engine/text/markdown-text.js';
import { dedupe, unquoted, upTo } from './excerpt.js';
import { headingsOf } from './headings.js';
import { countPages, nameOf, notFound, quoting, type OfflineAnswer } from './offline-answer.js';
import { joinText, textOf, type Passage } from './passages.js';
import type { AskedQuestion, Query } from './question.js';
import { withoutRunningLines } from './running-lines.js';
import type { PassageIndex } from './search.js';
import { parseSectionQuestion, passagesOfSection, passagesUnderHeading } from './section-question.js';

const OPENING_CHARACTERS = 900;
const PAGE_CHARACTERS = 2_400;
const MAX_PAGES = 3;
const MAX_CONTENTS = 5;
const MAX_HEADINGS = 15;

export function wholePages(index: PassageIndex, asked: AskedQuestion, named: PageQuestion): OfflineAnswer {
  if (named.first > asked.pages.length || named.first < 1) return noSuchPage(asked, named);
  const { pages } = asked;
  const last = Math.min(named.last, named.first + MAX_PAGES - 1, pages.length);
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
  const name = (page: number) => nameOfPage(page, asked.labels ?? null);
  const where =
    last > named.first ? `Pages ${name(named.first)} to ${name(last)}` : `Page ${name(named.first)}`;
  return quoting(
    asked,
    `${where} of ${nameOf(asked)} (${countPages(pages.length)}):`,
    quotes,
    ...empty.map((page) => `Page ${name(page)} has no text: it may be empty or a picture.`),
    ...(unprintedNote(asked, named) ?? []),
    wordForWord(isCut || last < named.last),
  );
}

/** Says that a number in the question was taken for a place in the file; null if a page has it printed. */
export function unprintedNote(
  { labels = null }: AskedQuestion,
  { unprinted, first }: PageQuestion,
): [string] | null {
  if (unprinted === null) return null;
  const printed = labelOf(first, labels);
  const note = `No page has the number ${escapeMarkdown(unprinted)} printed: this is page ${first} counted from the first page of the file`;
  return [`*${note}${printed === null ? '' : `, which has the number ${printed}`}.*`];
}

export function noSuchPage(asked: AskedQuestion, { first, unprinted }: PageQuestion): OfflineAnswer {
  const printed = labelRanges(asked.labels ?? null);
  return quoting(
    asked,
    `${nameOf(asked)} has ${countPages(asked.pages.length)}${printed && `, numbered ${printed}`}; there is no page ${escapeMarkdown(unprinted ?? String(first))}.`,
    [],
    ...(printed
      ? []
      : ['*Pages are counted from the first page of the file; printed page numbers may differ.*']),
  );
}

/** The text of the section whose number a question names; null when there is no such number or section. */
export function sectionFor(index: PassageIndex, asked: AskedQuestion): OfflineAnswer | null {
  const number = parseSectionQuestion(asked.question);
  const passages = number === null ? [] : passagesOfSection(index.passages, number);
  if (passages.length === 0) return null;
  const { quotes, isCut } = quoteWhole(passages, PAGE_CHARACTERS, new Set());
  return quoting(asked, `Section ${number} of ${nameOf(asked)}:`, quotes, wordForWord(isCut));
}

/** The text below the headings that name the subject of a question for all about it; null without such a heading. */
export function underHeading(
  index: PassageIndex,
  asked: AskedQuestion,
  { subject }: Query,
): OfflineAnswer | null {
  const passages = subject === null ? [] : passagesUnderHeading(index, subject);
  const heading = passages[0]?.heading;
  if (!heading) return null;
  const { quotes, isCut } = quoteWhole(passages, PAGE_CHARACTERS, new Set());
  const before = `This server cannot summarise. This is the part “${escapeMarkdown(heading)}” of ${nameOf(asked)}:`;
  return quoting(asked, before, quotes, wordForWord(isCut));
}

/** The document's table of contents; null when none was recognised. */
export function contentsOf(index: PassageIndex, asked: AskedQuestion): OfflineAnswer | null {
  const quotes = index.passages
    .filter(({ isContents }) => isContents)
    .slice(0, MAX_CONTENTS)
    .map((passage) => ({ page: passage.page, quote: textOf(passage) }));
  if (quotes.length === 0) return null;
  return quoting(asked, `${nameOf(asked)} lists its contents:`, quotes, '*Quoted word for word.*');
}

export function opening(index: PassageIndex, asked: AskedQuestion): OfflineAnswer {
  const { pages, labels = null } = asked;
  const first = index.passages[0];
  if (!first) return notFound(asked);
  const sentences = index.passages
    .filter(({ page }) => page === first.page)
    .flatMap((passage) => passage.sentences);
  const quote = upTo(dedupe(sentences), OPENING_CHARACTERS);
  const headings = recognisedHeadings(pages).slice(0, MAX_HEADINGS);
  const list = headings
    .map(({ title, page }) => `- ${escapeMarkdown(title)} ${pageMark(page, labels)}`)
    .join('\n');
  return quoting(
    asked,
    `This server cannot summarise. This is the beginning of ${nameOf(asked)} (${countPages(pages.length)}):`,
    [{ page: first.page, quote }],
    ...(headings.length > 1 ? [`Headings that were recognised in the text:\n\n${list}`] : []),
    '*Quoted word for word. Ask about one of its subjects to read more.*',
  );
}

/** Headings that are recognised in the text of the pages. */
export const recognisedHeadings = (pages: string[]): { title: string; page: number }[] =>
  withoutRunningLines(pages).flatMap((page, at) =>
    headingsOf(page).map((title) => ({ title, page: at + 1 })),
  );

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

const wordForWord = (isCut: boolean) =>
  `*Quoted word for word${isCut ? ' and shortened: open the page to read on' : ''}.*`;
