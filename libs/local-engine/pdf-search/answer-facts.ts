import type { PdfDetails } from '#libs/contract/pdf-details.js';
import { parseFileFact, type FileFact } from '#libs/local-engine/pdf-questions/file-facts.js';
import { languageOfDocument } from '#libs/local-engine/pdf-questions/foreign-question.js';
import { languageName } from '#libs/local-engine/text/language.js';
import { labelRanges, pageMark } from '#libs/local-engine/pdf-questions/page-labels.js';
import { parseSubject } from '#libs/local-engine/pdf-questions/subject.js';
import { escapeMarkdown } from '#libs/local-engine/text/markdown-text.js';
import { contentsOf, recognisedHeadings } from './answer-parts.js';
import { dedupe, upTo } from './excerpt.js';
import { countPages, nameOf, quoting, type OfflineAnswer } from './offline-answer.js';
import type { AskedQuestion } from './question.js';
import type { PassageIndex } from './search.js';

const FROM_FILE = '*From the properties of the file, which need not agree with its text.*';
const MAX_HEADINGS = 60;
const TITLE_CHARACTERS = 300;
const LONGEST_LINE = 120;
/** Pages that may name title, author and date of a document. */
const FIRST_PAGES = 3;

const BYLINE =
  /^(?:(?:[Ww]ritten |[Pp]repared |[Cc]ompiled |[Ee]dited )?[Bb]y|[Vv]on|[Vv]erfasst von|[Pp]ar|[Pp]or|[Dd]i|[Dd]oor)\s+\p{Lu}\S*|^(?:Authors?|Autor(?:in|en|es|e|i)?|Auteurs?|Verfasser(?:in)?)\s*:\s*\S/u;
const DATE = /\b(?:19|20)\d{2}\b/u;

/** Answers a question for a fact of the file, such as the number of its pages; null for other questions, and for several documents. */
export function answerFact(index: PassageIndex, asked: AskedQuestion): OfflineAnswer | null {
  if (asked.starts) return null;
  const before = asked.history.findLast(({ role }) => role === 'user')?.content;
  const hasSubject =
    before !== undefined && !parseFileFact(before, false) && parseSubject(before).about !== 'whole';
  const fact = parseFileFact(asked.question, hasSubject);
  return fact && answers[fact](index, asked);
}

const answers: Record<FileFact, (index: PassageIndex, asked: AskedQuestion) => OfflineAnswer | null> = {
  pages: (_, asked) => {
    const printed = labelRanges(asked.labels ?? null);
    const numbered = printed && `, with the printed numbers ${printed}`;
    return quoting(asked, `${nameOf(asked)} has ${countPages(asked.pages.length)}${numbered}.`, []);
  },
  title: (index, asked) => property(index, asked, 'title', 'The title'),
  author: (index, asked) => property(index, asked, 'author', 'The author'),
  created: (index, asked) => property(index, asked, 'created', 'The date of creation'),
  modified: (index, asked) => property(index, asked, 'modified', 'The date of the last change'),
  language: (_, asked) => {
    const language = languageOfDocument(asked.pages) ?? asked.details?.language?.split('-')[0] ?? null;
    const text =
      language === null
        ? `This server cannot tell the language of ${nameOf(asked)}: its text is too short, or in several languages.`
        : `${nameOf(asked)} is in ${languageName(language)}.`;
    return quoting(asked, text, []);
  },
  headings: (index, asked) => {
    const outline = asked.details?.headings ?? [];
    if (outline.length > 0) return listHeadings(asked, outline, 'From the table of contents of the file.');
    const printed = contentsOf(index, asked);
    if (printed) return printed;
    const found = recognisedHeadings(asked.pages).map((heading) => ({ ...heading, level: 1 }));
    return found.length > 1
      ? listHeadings(
          asked,
          found,
          'The file has no table of contents: these headings were recognised in its text.',
        )
      : quoting(
          asked,
          `${nameOf(asked)} has no table of contents, and no headings were recognised in its text.`,
          [],
        );
  },
};

type Heading = PdfDetails['headings'][number];

function listHeadings(asked: AskedQuestion, headings: readonly Heading[], note: string): OfflineAnswer {
  const shown = headings.slice(0, MAX_HEADINGS);
  const lines = shown.map(({ title, page, level }) => {
    const mark = page === null ? '' : ` ${pageMark(page, asked.labels ?? null)}`;
    return `${'  '.repeat(Math.max(0, level - 1))}- ${escapeMarkdown(title)}${mark}`;
  });
  const count = `${headings.length} ${headings.length === 1 ? 'heading' : 'headings'}`;
  const cut = shown.length < headings.length ? ` The first ${shown.length} are shown.` : '';
  return quoting(asked, `${nameOf(asked)} has ${count}:\n\n${lines.join('\n')}`, [], `*${note}${cut}*`);
}

/** A property of the file, with what the first pages say; both may be missing. */
function property(
  index: PassageIndex,
  asked: AskedQuestion,
  name: 'title' | 'author' | 'created' | 'modified',
  what: string,
): OfflineAnswer {
  const value = asked.details?.[name];
  const quotes = value !== undefined && name !== 'author' ? [] : fromFirstPages(asked, name);
  const found =
    value === undefined ? null : name === 'title' || name === 'author' ? value : formatDate(value);
  if (found !== null) {
    const also = quotes.length > 0 ? ' Its first pages say:' : '';
    return quoting(
      asked,
      `${what} of ${nameOf(asked)} is given as **${escapeMarkdown(found)}**.${also}`,
      quotes,
      FROM_FILE,
    );
  }
  const says = `${what} of ${nameOf(asked)} is not in the properties of the file`;
  if (quotes.length > 0) return quoting(asked, `${says}. Its first pages say:`, quotes);
  const beginning = name === 'modified' ? [] : openingOf(index);
  const where = beginning.length > 0 ? ', nor clearly on its first pages, which begin:' : '.';
  return { ...quoting(asked, says + where, beginning), isUncertain: true };
}

/** Lines of the first pages that name the author, or a date. */
function fromFirstPages({ pages }: AskedQuestion, name: string) {
  const form = name === 'author' ? BYLINE : name === 'created' ? DATE : null;
  if (!form) return [];
  return pages
    .slice(0, FIRST_PAGES)
    .flatMap((page, at) => {
      const line = page.split('\n').find((each) => each.length <= LONGEST_LINE && form.test(each.trim()));
      return line ? [{ page: at + 1, quote: line.trim() }] : [];
    })
    .slice(0, 1);
}

function openingOf({ passages }: PassageIndex) {
  const page = passages[0]?.page;
  if (page === undefined) return [];
  const sentences = passages
    .filter((passage) => passage.page === page)
    .flatMap((passage) => passage.sentences);
  return [{ page, quote: upTo(dedupe(sentences), TITLE_CHARACTERS) }];
}

/** The date of an ISO 8601 time, as at its place: "25 November 2026". */
function formatDate(iso: string): string {
  const date = new Date(`${iso.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}
