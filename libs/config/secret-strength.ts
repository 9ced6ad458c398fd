import { dictionary } from '@zxcvbn-ts/language-common';

/** About 49,000 common passwords in lower case, from zxcvbn-ts (MIT licence). No password leaves this machine. */
export const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/** Names of programs, which are default passwords of their services. */
const PROGRAM_NAMES = ['pressroom', 'postgres', 'postgresql', 'redis', 'minio', 'minioadmin'];

/** True for a common password or a program's name, also with digits and punctuation around it, and for a sequence. */
export function isCommonPassword(password: string): boolean {
  const folded = password.toLowerCase();
  const stem = folded.replace(/^[^a-z]+|[^a-z]+$/g, '');
  const isKnown = (text: string) => commonPasswords.has(text) || PROGRAM_NAMES.includes(text);
  return (
    isKnown(folded) || (stem.length >= 0.6 * folded.length && isKnown(stem)) || continuedBy(folded) > 0.5
  );
}

/** Share of the characters that continue a repetition or sequence such as `aaa`, `abc` or `321`. */
const continuedBy = (text: string) => 1 - withoutSequences(text).length / text.length;

/** By this estimate 32 random hexadecimal digits have over 100 bits, sentences of the same length about 60. */
const SECRET_MIN_BITS = 80;

/** Shorter words are in random texts too. */
const WORD_MIN_LETTERS = 4;
const WORD_MAX_LETTERS = 20;

/** False for a text of words, sequences or few different characters, which nobody made at random. */
export function isRandom(text: string): boolean {
  const rest = withoutWords(withoutSequences(text));
  return rest.length * Math.log2(new Set(rest).size) >= SECRET_MIN_BITS;
}

/** The text without the characters that are as far from the one before as that is from its own: 0, 1 or -1. */
function withoutSequences(text: string): string {
  const codes = Array.from(text, (character) => character.codePointAt(0)!);
  const step = (index: number) => codes[index]! - codes[index - 1]!;
  return Array.from(text)
    .filter((_, index) => index < 2 || Math.abs(step(index)) > 1 || step(index) !== step(index - 1))
    .join('');
}

/** The text without the longest common words that it has, from left to right. */
function withoutWords(text: string): string {
  const folded = text.toLowerCase();
  let rest = '';
  for (let start = 0; start < text.length;) {
    const word = wordAt(folded, start);
    if (word === 0) rest += text[start]!;
    start += Math.max(word, 1);
  }
  return rest;
}

/** @returns length of the longest common word of letters that begins here, or 0 */
function wordAt(folded: string, start: number): number {
  const letters = /^[a-z]*/.exec(folded.slice(start, start + WORD_MAX_LETTERS))![0];
  for (let length = letters.length; length >= WORD_MIN_LETTERS; length -= 1)
    if (commonPasswords.has(letters.slice(0, length))) return length;
  return 0;
}
