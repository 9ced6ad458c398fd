import nlp from 'compromise/two';
import { languageOf } from '../language.js';
import { sentencesOf } from '../sentences.js';
import type { Fact } from './fact.js';
import { spacedLetter } from './numbers.js';
import words from './names.json' with { type: 'json' };

const letter = `[${spacedLetter}\\p{N}]`;
const word = new RegExp(
  String.raw`(?<!°)[@#]?${letter}+(?:['’.&-]${letter}+)*(?:\+\+|#(?!\p{L}))?(?![$€£¥\p{L}\p{N}])`,
  'gu',
);

/** Words that start clauses; capitalised, they are no names. */
const common = new Set(words.common);

/**
 * The names of a plain text, word by word: capitalised words within sentences, acronyms, words with inner capitals or
 * digits, and words after @ and #.
 */
export function namesIn(plain: string): Fact[] {
  const starts = new Set(sentencesOf(plain).map(({ start }) => start));
  const known = properNouns(plain);
  const inCapitals = isInCapitals(plain);
  const found = Array.from(plain.matchAll(word), ({ 0: text, index }) => ({ text: bare(text), index }))
    .filter(({ text }) => (/^[@#]|\p{Lu}/u.test(text) || isMixed(text)) && !isNumber(text))
    .filter(({ text }) => !common.has(text.toLowerCase().replace(/['’].*$/, '')));
  const names = found.map(({ text, index }): Fact & { isPlain: boolean } => {
    const special = isMixed(text) || /^[@#]|\p{Ll}\p{Lu}|^\p{Lu}[\p{Lu}.&-]*\p{Lu}s?$/u.test(text);
    const begins = startsClause(plain, index, starts);
    const weak = inCapitals ? !/[\p{N}@#]/u.test(text) : !special && begins && !known.has(text);
    return { kind: 'name', key: keyOf(text), text, weak, isPlain: !special };
  });
  // German capitalises all nouns, so capitals are no sign of a name.
  const nounsAreCapital = languageOf(plain) === 'de';
  return names.map(({ isPlain, ...name }) => ({ ...name, weak: name.weak || (isPlain && nounsAreCapital) }));
}

/** True if a word has letters and digits. One pattern for both orders would take quadratic time. */
const isMixed = (text: string) => /\p{L}/u.test(text) && /\p{N}/u.test(text);
/** The word without the "'s" of a genitive. */
const bare = (text: string) => text.replace(/['’]s?$/u, '').replace(/[.&-]+$/u, '');
/** Normalises "U.S." to "US", and apostrophes. */
export const keyOf = (text: string) =>
  text
    .replaceAll('’', "'")
    .replace(/(?<!\p{L})(?:\p{L}\.)+\p{L}?(?!\p{L})/gu, (letters) => letters.replaceAll('.', ''));

/** "5-year", "20th", "1990s", "10km": these are numbers. */
const isNumber = (text: string) =>
  /^\p{N}+(?:[.,]\p{N}+)*(?:st|nd|rd|th|s|k|bn|mn|km|kg|cm|mm|ms|mb|gb|tb|h|m|am|pm)?$|^\p{N}[\p{N}.,]*-\p{Ll}+(?:-\p{Ll}+)*$|^\p{Ll}+-\p{N}+s?$/iu.test(
    text,
  ) && !/^\p{Lu}/u.test(text);

function startsClause(plain: string, index: number, starts: Set<number>): boolean {
  if (starts.has(index)) return true;
  const before = plain.slice(Math.max(0, index - 8), index);
  return (
    /(?:^|[:;.!?…\n•*–—-])[\s"“”'‘’«»„()[\]*_]*$/u.test(before) && !/[\p{L}\p{N}]-$|\p{L}\.\s*$/u.test(before)
  );
}

function properNouns(plain: string): Set<string> {
  const terms = nlp(plain).json({ terms: { tags: true } }) as { terms: { text: string; tags: string[] }[] }[];
  return new Set(
    terms.flatMap((sentence) =>
      sentence.terms.filter(({ tags }) => tags.includes('ProperNoun')).map(({ text }) => bare(text)),
    ),
  );
}

/** True if most of a text is in capitals. Then capitals are no sign of a name. */
function isInCapitals(plain: string): boolean {
  const letters = plain.match(/\p{L}/gu)?.length ?? 0;
  const capitals = plain.match(/\p{Lu}/gu)?.length ?? 0;
  return letters > 12 && capitals > letters * 0.5;
}
