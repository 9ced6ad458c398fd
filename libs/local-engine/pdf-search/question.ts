import type { PdfChatMessage } from '#libs/contract/pdf-chats.js';
import type { PageLabels } from '#libs/local-engine/pdf-questions/page-labels.js';
import { toStandalone } from '#libs/local-engine/pdf-questions/follow-up.js';
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

/** A document's name often stands in this many characters at its beginning. */
const OPENING_CHARACTERS = 200;

/** What to search for, in words of the question and of the conversation before it. */
export function queryOf(index: Pick<PassageIndex, 'terms' | 'areTogether'>, asked: AskedQuestion): Query {
  const { terms } = index;
  const standalone = toStandalone(asked.question, asked.history, {
    isBare: (text) => terms.of(text).every(isWeak),
    countTerms: (text) => terms.of(text).length,
    areTogether: (one, other) => index.areTogether(terms.of(one), terms.of(other)),
  });
  const read = parseSubject(standalone.sentence);
  const names = [asked.fileName.replace(/\.pdf$/i, ''), (asked.pages[0] ?? '').slice(0, OPENING_CHARACTERS)];
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
