import type { LanguageFault } from '#libs/contract/language-faults.js';
import { findSkills } from '#libs/local-engine/resume/skills/find-skills.js';
import { isEnglishWord } from '#libs/local-engine/text/english-words.js';
import data from './faults.json' with { type: 'json' };
import type { FoundFault } from './harper.js';

/** Harper's kinds of rules about faults, without style, readability, typography and the case of names. */
const GRAMMAR = new Set(data.grammar);
/** Addresses, file names, code, and words with digits or signs. */
const NO_PROSE =
  /(?:https?:\/\/|www\.)\S+|\S+@\S+\.\S+|(?<![\p{L}\d])[\p{L}\d_-]+\.(?:[a-z]{2,4})(?:\/\S*)?(?![\p{L}\d])|`[^`]*`|(?<!\S)[-/@#.]\S+|\S*[\d_\\/<>=]\S*/gu;
const CONTEXT = 45;
const MOST_SUGGESTIONS = 3;

/** A run without white space of this length is an address, code or Chinese. Checking it takes seconds. */
const ENDLESS_WORD = /\S{200,}/gu;

/** Replaces endless words by the end of a paragraph, so that no fault spans them. Offsets do not change. */
export const withoutEndlessWords = (text: string): string =>
  text.replace(ENDLESS_WORD, (word) => `${' '.repeat(word.length - 2)}\n\n`);

/** The findings that are faults beyond doubt; names, technologies and other spellings of English are no faults. */
export function reliableFaults(
  text: string,
  found: readonly FoundFault[],
): (LanguageFault & { start: number; end: number })[] {
  if (found.length === 0) return [];
  const readable = withoutEndlessWords(text);
  const noProse = Array.from(readable.matchAll(NO_PROSE), ({ index, 0: match }) => [
    index,
    index + match.length,
  ]);
  const skills = findSkills(readable).map(({ start, end }) => [start, end]);
  return found
    .flatMap((fault) => {
      const quote = text.slice(fault.start, fault.end);
      const overlaps = ([start = 0, end = 0]: number[]) => fault.start < end && start < fault.end;
      if (noProse.some(overlaps)) return [];
      if (fault.rule === 'Spelling') {
        const suggestions = skills.some(overlaps) ? [] : spellingsFor(quote, fault, text);
        return suggestions.length > 0 ? [toFault('spelling', fault, suggestions, text)] : [];
      }
      const isTerm = skills.some(([start = 0, end = 0]) => start <= fault.start && fault.end <= end);
      const followsCode = noProse.some(([, end = 0]) => end <= fault.start && fault.start - end < 3);
      if (isTerm || followsCode || !GRAMMAR.has(fault.rule) || !isGrammarFault(quote, fault, text)) return [];
      return [toFault('grammar', fault, fault.suggestions, text)];
    })
    .sort((a, b) => a.start - b.start);
}

function toFault(
  kind: LanguageFault['kind'],
  { start, end, message }: FoundFault,
  suggestions: string[],
  text: string,
): LanguageFault & { start: number; end: number } {
  return {
    kind,
    quote: text.slice(start, end).replace(/\s+/g, ' '),
    context: contextOf(text, start, end),
    message:
      kind === 'spelling' ? 'This word is not in the dictionary.' : message.replace(/`([^`]*)`/g, '“$1”'),
    suggestions: Array.from(new Set(suggestions.map((one) => one.trim()))).slice(0, MOST_SUGGESTIONS),
    start,
    end,
  };
}

function contextOf(text: string, start: number, end: number): string {
  const block = [text.lastIndexOf('\n\n', start) + 1, text.indexOf('\n\n', end)];
  const from = Math.max(block[0]!, start - CONTEXT);
  const to = Math.min(block[1]! < 0 ? text.length : block[1]!, end + CONTEXT);
  const left = from > block[0]! ? text.slice(from, start).replace(/^\S*\s/, '… ') : text.slice(from, start);
  const right =
    to < (block[1]! < 0 ? text.length : block[1]!)
      ? text.slice(end, to).replace(/\s\S*$/, ' …')
      : text.slice(end, to);
  return (left + text.slice(start, end) + right).replace(/\s+/g, ' ').trim();
}

/** Suggestions close to the word. Without any, the word is a name or a term that the dictionary lacks. */
function spellingsFor(word: string, { start, suggestions }: FoundFault, text: string): string[] {
  if (word.length < 4 || !/^[\p{L}'’-]+$/u.test(word) || /\p{L}\p{Lu}/u.test(word)) return [];
  const lower = word.toLowerCase();
  const isCapital = /^\p{Lu}/u.test(word);
  // A name has a capital within a sentence, here or elsewhere in the text.
  if (isCapital && (!beginsSentence(text, start) || isNameElsewhere(word, text))) return [];
  if (isEnglishWord(lower) || isOtherEnglish(lower)) return [];
  const contraction = suggestions.find(
    (one) => /['’]/.test(one) && one.toLowerCase().replace(/['’]/, '') === lower,
  );
  if (contraction) return [contraction];
  const most = lower.length >= 7 ? 2 : 1;
  const close = suggestions.filter(
    (one) =>
      !/[\s'’]/.test(one.replace(/['’]s$/, '')) &&
      !/^\p{Lu}/u.test(isCapital ? '' : one) &&
      distance(lower, one.toLowerCase()) <= most &&
      one.toLowerCase() !== lower,
  );
  // A word made of two words, or with a usual prefix, is a new word.
  if (close.length === 0 || isCompound(lower)) return [];
  return close.map((one) => (isCapital ? one.charAt(0).toUpperCase() + one.slice(1) : one));
}

const beginsSentence = (text: string, start: number) =>
  /(?:^|[\n.!?•:]\s*|[-*]\s+|\d\.\s+)["“'‘(*_]*$/u.test(text.slice(Math.max(0, start - 6), start));

const isNameElsewhere = (word: string, text: string) => {
  let at = text.indexOf(word);
  while (at >= 0) {
    if (!beginsSentence(text, at)) return true;
    at = text.indexOf(word, at + word.length);
  }
  return false;
};

function isCompound(word: string): boolean {
  const stem =
    /^(?:re|un|non|pre|post|multi|micro|cyber|bio|geo|inter|sub|super|hyper|auto|co|de|mis|over|under|out|up|meta|crypto|tele|eco|neuro|photo|electro|omni|pro)-?(\p{L}{4,})$/u.exec(
      word,
    )?.[1];
  if (stem !== undefined && isEnglishWord(stem)) return true;
  for (let at = 4; at <= word.length - 4; at += 1) {
    if (isEnglishWord(word.slice(0, at)) && isEnglishWord(word.slice(at))) return true;
  }
  return false;
}

const VARIANTS = data.variants.map(([variant = '', american = '']) => ({
  variant: new RegExp(variant),
  american,
}));

/** British, Canadian and Australian spellings. */
const isOtherEnglish = (word: string) =>
  VARIANTS.some(
    ({ variant, american }) => variant.test(word) && isEnglishWord(word.replace(variant, american)),
  );

/** True if a grammar finding is a fault: some rules misread names, lists and lines without a subject. */
function isGrammarFault(quote: string, { rule, suggestions, start, end }: FoundFault, text: string): boolean {
  if (suggestions.length === 0) return false;
  // "ms" for milliseconds.
  if (quote.length <= 3 && suggestions.every((one) => one.length > quote.length + 4)) return false;
  if (/^let$/i.test(quote) && /^\s+\p{Lu}/u.test(text.slice(end))) return false;
  // Changes of case, of a hyphen, or of one word into two are a matter of style.
  const bare = (words: string) => words.toLowerCase().replace(/[\s\-–’']/g, '');
  if (
    suggestions.every(
      (one) =>
        bare(one) === bare(quote) &&
        one.toLowerCase().replace('’', "'") !== "it's" &&
        !/['’]/.test(one + quote),
    )
  )
    return false;
  const around = text.slice(Math.max(0, start - 25), Math.min(text.length, end + 25));
  if (/^\p{Lu}/u.test(quote) && !beginsSentence(text, start) && !/^(?:I|An?)$/.test(quote)) return false;
  // A word inserted between listed words ("Managed, managed") is a guess.
  if (suggestions.every((one) => one.startsWith(`${quote} `)) && rule === 'WordChoice') return false;
  return !/\p{Lu}\p{L}*\s+(?:of|and|&)\s+\p{Lu}/u.test(around) || rule !== 'Agreement';
}

/** The Damerau-Levenshtein distance: a swap of neighbours counts as one edit. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, at(i - 2, j - 2) + 1);
      rows[i]![j] = best;
    }
  }
  return at(a.length, b.length);
}
