import { asksForWhole } from './page-question.js';
import type { Passage } from './passages.js';

const KIND = String.raw`(?:sub)?sections?|chapters?|clauses?|articles?|paragraphs?|parts?|annex|appendix|schedule|§{1,2}`;
const NUMBER = String.raw`(\d{1,3}(?:\.\d{1,3}){0,3}|[IVX]{1,5}|[A-Z])`;
const NAMED = new RegExp(
  String.raw`(?:\b|(?=§))(?:${KIND})\s*(?:no\.?|number)?\s*${NUMBER}(?![\p{L}\p{N}])`,
  'iu',
);

/** The number of the section in a question for the whole section, such as "What does clause 4 say?"; else null. */
export function parseSectionQuestion(question: string): string | null {
  const named = NAMED.exec(question);
  return named && asksForWhole(question, named[0]) ? (named[1] ?? '').toUpperCase() : null;
}

/** The passages of the section with this number; empty when no sentence begins with the number. */
export function passagesOfSection(passages: readonly Passage[], number: string): Passage[] {
  const section: Passage[] = [];
  for (const passage of passages) {
    if (passage.isContents) continue;
    const numbers = passage.sentences.map(numberOf);
    const start = section.length > 0 ? 0 : numbers.indexOf(number);
    if (start < 0) continue;
    const end = numbers.findIndex(
      (other, at) => at >= start && other !== null && other !== number && !other.startsWith(`${number}.`),
    );
    section.push({ ...passage, sentences: passage.sentences.slice(start, end < 0 ? undefined : end) });
    if (end >= 0) break;
  }
  return section;
}

const BEGINS = new RegExp(String.raw`^(?:(?:${KIND})\s*)?${NUMBER}(?:[.):]|\s[-–—])?\s+\p{Lu}`, 'u');
const BEGINS_WITH_KIND = new RegExp(String.raw`^(?:${KIND})\s*${NUMBER}(?![\p{L}\p{N}])`, 'iu');

/** The number at the beginning of a sentence: "4 Ending the lease", "Clause 4:". A single letter is an article or a name. */
function numberOf(sentence: string): string | null {
  const withKind = BEGINS_WITH_KIND.exec(sentence)?.[1];
  if (withKind) return withKind.toUpperCase();
  const number = BEGINS.exec(sentence)?.[1];
  return number && (/^\d/.test(number) || number.length > 1) ? number : null;
}
