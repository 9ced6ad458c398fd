import type { PdfChatMessage } from '#libs/contract/pdf-chats.js';
import questionWords from './question-words.json' with { type: 'json' };
import { isWeak, type Terms } from './terms.js';

/** Questions about the whole document, in the most frequent languages. */
const ABOUT_WHOLE = new RegExp(questionWords.aboutWhole.join('|'), 'iu');

export function isAboutWhole(question: string): boolean {
  // A long question with these words is about something in the document.
  return question.length <= 160 && ABOUT_WHOLE.test(question);
}

const REFERS_BACK =
  /^(?:and|but|so|or|also|what about|how about|why(?: not| so)?\??$|und|et|y|e)\b|\b(?:it|its|that|this|these|those|they|them|their|he|she|his|her|him|former|latter|same|there|then|(?:first|second|third|fourth|last|other|next|previous) (?:one|point|item|part|option|case))\b/i;

/** A question with fewer terms is searched together with earlier questions. */
const FEW_TERMS = 2;

/** The earlier questions that a follow-up question refers to, for the search; else `''`. */
export function contextOf(question: string, history: PdfChatMessage[], terms: Terms): string {
  const isFollowUp = REFERS_BACK.test(question) || terms.of(question).length < FEW_TERMS;
  if (!isFollowUp) return '';
  const questions = history.filter(({ role }) => role === 'user').map(({ content }) => content);
  // The previous question may be a follow-up too.
  const before = questions.at(-1) ?? '';
  const further = REFERS_BACK.test(before) ? (questions.at(-2) ?? '') : '';
  return `${further} ${before}`.trim();
}

const CONTINUES = /^(?:and|but|so|or|also|what about|how about|und|et|y|e)\b/i;
/** Removed before embedding: with a pronoun, a model prefers lines with a name to the line with the answer. */
const PRONOUNS = /\b(?:she|he|her|hers|his|him|they|their|theirs|them)\b/gi;

/** The text that a model reads for a question, with earlier questions only if it has no meaning without them. */
export function embeddedQuestion(question: string, context: string, terms: Terms): string {
  const isBare = CONTINUES.test(question) || terms.of(question).every(isWeak);
  const text = question.replace(PRONOUNS, '').replace(/\s+/g, ' ').trim() || question;
  return isBare ? `${context} ${text}`.trim() : text;
}
