import { isEnglishWord } from '#libs/local-engine/text/english-words.js';
import words from './hyphenation.json' with { type: 'json' };
import { WRAP } from './wrap.js';

const suspended = new Set(words.conjunctions);
const prefixes = new Set(words.prefixes);
const english = new Set(words.english);

const WORD = String.raw`[\p{L}\p{M}\p{N}]+`;
/** The end of a line with a hyphen. The words around it are looked up separately, which is faster than one pattern. */
const DIVIDED = new RegExp(`(?<=[\\p{L}\\p{M}\\p{N}])[-\u2010\u2011][\n${WRAP}](?=[\\p{L}\\p{N}])`, 'gu');
const BEFORE = new RegExp(String.raw`(?:${WORD}[-\u2010\u2011’'])*${WORD}$`, 'u');
const AFTER = new RegExp(String.raw`^(${WORD})(-?)`, 'u');
const LONGEST_WORD = 80;
/** A word that a soft hyphen may have divided: pdf.js omits soft hyphens, even those at line ends. */
const SOFTLY_DIVIDED = new RegExp(
  String.raw`(?<![\p{L}\p{N}'’-])(\p{L}?\p{Ll}+)${WRAP}(\p{Ll}{2,})(?![\p{L}\p{N}'’-])`,
  'gu',
);
/** Other dashes between letters or digits have no space at a line end either. */
const DASHED = new RegExp(String.raw`(?<=[\p{L}\p{N}][\u2013\u2014])${WRAP}(?=[\p{L}\p{N}])`, 'gu');
const HYPHENATED = /(?<![\p{L}\p{N}-])\p{L}+(?:-\p{L}+)+(?![\p{L}\p{N}])/gu;
const PLAIN = /(?<![\p{L}\p{N}-])\p{L}+(?![\p{L}\p{N}-])/gu;
const LONGEST_SAMPLE = 50_000;
/** A document with more hyphens than this at its line ends has visible ones, no soft ones. */
const MAX_VISIBLE = 2;

/**
 * Joins the words that are divided at line ends. Other spellings in the document decide whether a hyphen stays, then an English
 * dictionary. Hyphens beside digits and capitals stay.
 */
export function joinDividedWords(pages: string[]): string[] {
  let known: Spellings | undefined;
  const spellings = () => (known ??= spellingsOf(pages));
  let visible = 0;
  const signOf = (sign: string, at: number, page: string) => {
    const first = BEFORE.exec(page.slice(Math.max(0, at - LONGEST_WORD), at))?.[0] ?? '';
    const end = at + sign.length;
    const [, second = '', next] = AFTER.exec(page.slice(end, end + LONGEST_WORD)) ?? [];
    visible += 1;
    if (/\p{N}$/u.test(first) || /^\p{N}/u.test(second) || next) return '-';
    if (suspended.has(second.toLowerCase())) return '- ';
    return spellings().isCompound(first, second) ? '-' : '';
  };
  const joined = pages.map((page) => page.replace(DIVIDED, signOf).replace(DASHED, ''));
  if (visible > MAX_VISIBLE) return joined;
  return joined.map((page) =>
    page.replace(SOFTLY_DIVIDED, (whole: string, first: string, second: string) =>
      spellings().isOneWord(first, second) ? first + second : whole,
    ),
  );
}

interface Spellings {
  /** True if two parts of a word are written with a hyphen between them. */
  isCompound(first: string, second: string): boolean;
  /** True if two parts are a word, and are no words by themselves. */
  isOneWord(first: string, second: string): boolean;
}

function spellingsOf(pages: readonly string[]): Spellings {
  const hyphenated = new Set<string>();
  const plain = new Set<string>();
  for (const page of pages) {
    const text = withoutLineEnds(page.toLowerCase());
    for (const [word] of text.matchAll(HYPHENATED)) hyphenated.add(word);
    for (const [word] of text.matchAll(PLAIN)) plain.add(word);
  }
  const isEnglish = isInEnglish(pages);
  const isKnown = (word: string) => plain.has(word) || (isEnglish && isEnglishWord(word));
  return {
    isCompound: (before, after) => {
      const [first, second] = [before.toLowerCase(), after.toLowerCase()];
      const last = /\p{L}+$/u.exec(first)?.[0] ?? first;
      if (hyphenated.has(`${last}-${second}`) || hyphenated.has(`${first}-${second}`)) return true;
      if (plain.has(last + second)) return false;
      // No word is divided after its first letter, or before a capital.
      if (last.length === 1 || /^\p{Lu}/u.test(after)) return true;
      if (!isEnglish || isEnglishWord(last + second)) return false;
      return (prefixes.has(last) || (last.length > 2 && isKnown(last))) && isKnown(second);
    },
    isOneWord: (before, after) => {
      const [first, second] = [before.toLowerCase(), after.toLowerCase()];
      return !(isKnown(first) && isKnown(second)) && isKnown(first + second);
    },
  };
}

/** Leaves out the words at line ends, which may be parts of words. */
function withoutLineEnds(text: string): string {
  const lines = text.split(WRAP);
  return lines
    .map((line, at) => {
      const start = at > 0 ? line.indexOf(' ') : 0;
      const end = at < lines.length - 1 ? line.lastIndexOf(' ') : line.length;
      return start < 0 || end < start ? '' : line.slice(start, end);
    })
    .join('\n');
}

/** True if many words of a sample are among the most frequent ones of English. */
function isInEnglish(pages: readonly string[]): boolean {
  const sample =
    pages
      .join('\n')
      .slice(0, LONGEST_SAMPLE)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return sample.filter((word) => english.has(word)).length >= 0.08 * sample.length;
}
