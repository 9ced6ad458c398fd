import { asksForWhole } from '#libs/local-engine/pdf-questions/page-question.js';
import type { Passage } from './passages.js';
import type { PassageIndex } from './search.js';

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

/** A heading with more words beside the subject is about something else. */
const MAX_OTHER_WORDS = 2;

/** The passages below the heading that names a subject, the shortest such heading; empty when there is none. */
export function passagesUnderHeading({ passages, terms }: PassageIndex, subject: string): Passage[] {
  const wanted = [...new Set(terms.of(subject))];
  if (wanted.length === 0) return [];
  const named = passages.flatMap((passage, at) => {
    const words = terms.of(passage.heading).filter((term) => !/^\d+$/.test(term));
    const fits =
      wanted.every((term) => words.includes(term)) && words.length <= wanted.length + MAX_OTHER_WORDS;
    return fits && !passage.isContents ? [{ at, passage, count: words.length }] : [];
  });
  const best = named.toSorted((a, b) => a.count - b.count || a.at - b.at)[0];
  if (!best) return [];
  const { heading } = best.passage;
  const end = passages.findIndex((passage, at) => at > best.at && passage.heading !== heading);
  return passages.slice(best.at, end < 0 ? undefined : end);
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
