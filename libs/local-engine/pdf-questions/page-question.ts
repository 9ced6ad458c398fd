import { ordinalForms } from './listed-items.js';
import { phrasesByLanguage, wordsOf } from './phrases.js';
import { parseSubject } from './subject.js';
import { foldLetters } from '#libs/local-engine/text/fold-letters.js';
import { cardinalWords, readNumber } from '#libs/local-engine/text/spelled-numbers.js';
import { labelOf, pageWithLabel, readRoman, type PageLabels } from './page-labels.js';

const PAGE = String.raw`(?:pages?|seiten?|pagina|paginas|pagine|pag|bladzijden?|blz|folio)`;
/** "3", "twelve", "iii", "A-2", "B.14". */
const NAME = String.raw`((?:[\p{L}]{1,8}[-.:/ ]?)?\d{1,5}[a-z]?|[ivxlcdm]{1,8}|[a-z]|${cardinalWords})(?![\p{L}\p{N}])`;
const NUMBERED = new RegExp(
  String.raw`(?:\b${PAGE}\.?|\bpp?\.|\bp(?=\s?\d)|\bs\.(?=\s?\d))\s*(?:no\.?|number|nr\.?)?\s*${NAME}(?:\s*(?:-|–|to|and|through|until|bis|und|et|a|y|al|tot|en)\s*(?:${PAGE}\s*)?${NAME})?`,
  'diu',
);
const PLACES = ordinalForms.map(([place, names]) => [place, ordinalPattern(`(?:${names})`)] as const);
const COUNTED = ordinalPattern(String.raw`(\d{1,5})(?:st|nd|rd|th|\.|e|a|eme)`);

function ordinalPattern(ordinal: string): RegExp {
  return new RegExp(String.raw`\b${ordinal}\s+${PAGE}\b|\b${PAGE}\s+${ordinal}\b`, 'iu');
}

export interface PageQuestion {
  /** Places in the file, from 1. */
  first: number;
  last: number;
  /** True if the question asks for the whole page, and not for something on it. */
  isWhole: boolean;
  /** The number in the question, if no page has it printed and it was taken for the place in the file. */
  unprinted: string | null;
}

/** The pages that a question names, by their printed numbers or their places; null if it names none. */
export function parsePageQuestion(
  question: string,
  pageCount: number,
  labels: PageLabels = null,
): PageQuestion | null {
  // Folding a letter may change its length, and then the places of what follows.
  const text = Array.from(question, (letter) =>
    foldLetters(letter).length === letter.length ? foldLetters(letter) : letter,
  ).join('');
  const numbered = NUMBERED.exec(text);
  const [firstName = '', lastName] = numbered ? namesIn(question, numbered, labels) : [];
  const first = placeOf(firstName, labels);
  if (numbered && first) {
    const last = lastName === undefined ? first : (placeOf(lastName, labels) ?? first);
    return {
      first: Math.min(first.page, last.page),
      last: Math.max(first.page, last.page),
      isWhole: asksForWhole(question, question.slice(numbered.index, numbered.index + numbered[0].length)),
      unprinted: labels && !first.isPrinted ? firstName : null,
    };
  }
  const [place, match] = namedPlace(text) ?? [];
  if (!match || place === undefined) return null;
  const page = place < 0 ? pageCount + 1 + place : place;
  const named = question.slice(match.index, match.index + match[0].length);
  return { first: page, last: page, isWhole: asksForWhole(question, named), unprinted: null };
}

/** The names of the first and last page; "iii-2" is one name only if a page has it. */
function namesIn(question: string, numbered: RegExpExecArray, labels: PageLabels): string[] {
  const ranges: ([number, number] | undefined)[] = numbered.indices?.slice(1, 3) ?? [];
  const names = ranges.flatMap((range) => (range ? [question.slice(...range)] : []));
  const [first = ''] = names;
  return names.length > 1 || placeOf(first, labels) ? names : first.split('-');
}

function namedPlace(text: string): [number, RegExpExecArray] | null {
  const counted = COUNTED.exec(text);
  if (counted) return [Number(counted[1] ?? counted[2]), counted];
  for (const [place, form] of PLACES) {
    const match = form.exec(text);
    if (match) return [place, match];
  }
  return null;
}

/** The page with a printed number, or else at a place in the file; null if the name is no number. */
function placeOf(name: string, labels: PageLabels): { page: number; isPrinted: boolean } | null {
  const number = readNumber(name);
  const printed = pageWithLabel(name, labels) ?? pageWithLabel(String(number || ''), labels);
  // "a" in "a page a day" is the number of no page.
  if (printed && (name.length > 1 || /\d/.test(name) || labelOf(printed, labels) === name))
    return { page: printed, isPrinted: true };
  if (number > 0 || /^0+$/.test(name)) return { page: number, isPrinted: false };
  const roman = name.length > 1 ? readRoman(name) : 0;
  return roman > 0 ? { page: roman, isPrinted: false } : null;
}

/** True if a question asks for the whole page or section that it names, and not for something in it. */
export function asksForWhole(question: string, named: string): boolean {
  const rest = question.replace(named, ' ');
  if (parseSubject(rest).about === 'subject') return false;
  const words = wordsOf(rest);
  return phrasesByLanguage.some(({ frame }) => words.every(({ text }) => frame.has(text) || ALSO.has(text)));
}

/** Words about a page or section that do not name a subject. */
const ALSO: ReadonlySet<string> = new Set([
  'quote',
  'appear',
  'appears',
  'text',
  'steht',
  'printed',
  'number',
]);
