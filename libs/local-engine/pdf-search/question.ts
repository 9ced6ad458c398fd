import { FILE_ENDING } from '#libs/contract/files.js';
import type { PdfChatMessage } from '#libs/contract/pdf-chats.js';
import type { PdfDetails } from '#libs/contract/pdf-details.js';
import type { PageLabels } from '#libs/local-engine/pdf-questions/page-labels.js';
import { searchedText, toStandalone } from '#libs/local-engine/pdf-questions/follow-up.js';
import { parseSubject } from '#libs/local-engine/pdf-questions/subject.js';
import { parsePageQuestion, type PageQuestion } from '#libs/local-engine/pdf-questions/page-question.js';
import type { Meaning, PassageIndex } from './search.js';
import { isWeak } from './terms.js';

/** A question about a document, with the conversation before it. */
export interface AskedQuestion {
  question: string;
  history: PdfChatMessage[];
  fileName: string;
  pages: string[];
  labels?: PageLabels;
  /** Where `pages` are those of several documents: the index of each document's first page. */
  starts?: number[];
  /** What the file says about itself. */
  details?: PdfDetails | null;
  /** The question in the document's language, if it was asked in another one and an AI service translated it. */
  translation?: string | null;
  /** The results of a model for question and passages; without them, the search is by words only. */
  meaning?: Meaning | null;
}

/** What to search for to answer a question. */
export interface Query {
  /** The words of the question, or of the subject that it names. */
  text: string;
  /** Words of earlier questions that a follow-up refers to, which count less. */
  context: string;
  /** The text that a model reads for the question. */
  sentence: string;
  isAboutWhole: boolean;
  /** The subject, if the question asks for all that the document has on it: "Summarise the deposit clause". */
  subject: string | null;
  /** The pages that the question names. */
  pages: PageQuestion | null;
}

const LONGEST_TITLE = 120;

/** The first line of a page, if it may be a title. */
function titleLineOf(page: string): string {
  const line =
    page
      .slice(0, 10 * LONGEST_TITLE)
      .split('\n')
      .find((each) => each.trim() !== '') ?? '';
  return line.length > LONGEST_TITLE || /[.!?;,]\s*$/u.test(line) ? '' : line;
}

/** What to search for, in words of the question and of the conversation before it. */
export function queryOf(index: Pick<PassageIndex, 'terms' | 'areTogether'>, asked: AskedQuestion): Query {
  const { terms } = index;
  const standalone = asked.translation
    ? { text: searchedText(asked.translation), context: '', sentence: asked.translation }
    : toStandalone(asked.question, asked.history, {
        isBare: (text) => terms.of(text).every(isWeak),
        countTerms: (text) => terms.of(text).length,
        areTogether: (one, other) => index.areTogether(terms.of(one), terms.of(other)),
      });
  const read = parseSubject(standalone.sentence);
  const names = [
    asked.fileName.replace(FILE_ENDING, ''),
    asked.details?.title ?? '',
    titleLineOf(asked.pages[0] ?? ''),
  ];
  const isName = read.about === 'subject' && read.mayBeTitle && isNamed(read.subject, names, index);
  return {
    ...standalone,
    sentence: withoutPronouns(standalone.sentence),
    isAboutWhole: read.about === 'whole' || isName,
    subject: read.about === 'subject' && read.wantsAll && !isName ? read.subject : null,
    // Without the document, the number of a page is no place.
    pages: asked.starts ? null : parsePageQuestion(asked.question, asked.pages.length, asked.labels),
  };
}

/** "Summarise the Paris Agreement" asks about the whole of the document with this name. */
function isNamed(subject: string, names: readonly string[], { terms }: Pick<PassageIndex, 'terms'>): boolean {
  const words = terms.of(subject);
  return names.some((name) => {
    const known = new Set(terms.of(name.replace(/[_.-]+/g, ' ')));
    const isWhole = words.length > 1 || known.size === 1;
    return words.length > 0 && isWhole && words.every((word) => known.has(word));
  });
}

/** Removed before embedding: with a pronoun, a model prefers lines with a name to the line with the answer. */
const PRONOUNS = /\b(?:she|he|her|hers|his|him|they|their|theirs|them)\b/gi;

const withoutPronouns = (text: string) => text.replace(PRONOUNS, '').replace(/\s+/g, ' ').trim() || text;
