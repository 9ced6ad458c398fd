import { dictionary } from '@zxcvbn-ts/language-common';

/** About 49,000 common passwords in lower case, from zxcvbn-ts (MIT licence). No password leaves this machine. */
export const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/** Names of programs, which are default passwords of their services. */
const PROGRAM_NAMES = ['pressroom', 'postgres', 'postgresql', 'redis', 'minio', 'minioadmin', 'database'];
/** Words before others, as in `mypassword` or `db-password`. */
const SHORT_WORDS = ['my', 'our', 'the', 'your', 'db', 'pg', 'app', 'web', 'dev', 'test'];
const WORD_MIN_LETTERS = 5;
/** A password of at least as many unrelated words is hard to guess. */
const PASSPHRASE_WORDS = 5;

/** True for common passwords and names of programs, also a few or with digits and punctuation around them, and for a sequence. */
export function isCommonPassword(password: string): boolean {
  const folded = password.toLowerCase();
  const stem = folded.replace(/^[^a-z]+|[^a-z]+$/g, '');
  return (
    isKnown(folded) || (stem.length >= 0.6 * folded.length && isOfFewWords(stem)) || continuedBy(folded) > 0.5
  );
}

const isKnown = (text: string) => commonPasswords.has(text) || PROGRAM_NAMES.includes(text);

function isOfFewWords(text: string): boolean {
  const words = [...new Set(text.split(/[^a-z]+/))].map(countWords);
  return words.reduce((sum, count) => sum + count, 0) < PASSPHRASE_WORDS;
}

/** Number of known words that the letters consist of, Infinity if they do not. */
function countWords(letters: string): number {
  if (isKnown(letters)) return 1;
  const counts = Array.from(letters, (_, index) => letters.slice(0, index + 1))
    .filter((word) => SHORT_WORDS.includes(word) || (word.length >= WORD_MIN_LETTERS && isKnown(word)))
    .map((word) => (word === letters ? 1 : 1 + countWords(letters.slice(word.length))));
  return Math.min(...counts);
}

/** Share of the characters that continue a repetition or sequence such as `aaa`, `abc` or `321`. */
const continuedBy = (text: string) => 1 - withoutSequences(text).length / text.length;

/** By this estimate 32 random hexadecimal digits have over 100 bits. */
const SECRET_MIN_BITS = 80;
/** Bits of a word: one of about 2,000. */
const WORD_BITS = 11;

/** What examples have in place of a secret. */
const PLACEHOLDER =
  /^(?:change|replace)[-_ ]?(?:this|me|it)|^<.*>$|(?<![a-z])(?:your|insert|example|placeholder)(?![a-z])/i;

/** False for sequences, repetitions, words, few different characters, and placeholders such as "change-this". */
export function isRandom(text: string): boolean {
  const words = (text.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []).filter(
    (word) => word.length >= 4 && Number.isFinite(countWords(word.toLowerCase())),
  );
  const rest = withoutSequences(
    withoutRepetitions(words.reduce((left, word) => left.replace(word, ''), text)),
  );
  const count = [...new Set(words)].reduce((sum, word) => sum + countWords(word.toLowerCase()), 0);
  const bits = count * WORD_BITS + rest.length * Math.log2(Math.max(new Set(rest).size, 1));
  return !PLACEHOLDER.test(text) && bits >= SECRET_MIN_BITS;
}

/** The text without each fourth character of four that it had before. */
const withoutRepetitions = (text: string) =>
  text.replace(/./gsu, (character, index: number) =>
    index >= 3 && text.indexOf(text.slice(index - 3, index + 1)) < index - 3 ? '' : character,
  );

/** Letters as they stand on a keyboard. */
const KEYBOARD = 'qwertyuiopasdfghjklzxcvbnm';

/** The text without the characters that are as far from the one before as that is from its own, 0, 1 or -1, also on a keyboard. */
function withoutSequences(text: string): string {
  const characters = Array.from(text);
  const continues = (places: number[]) => (index: number) => {
    const step = (at: number) => places[at]! - places[at - 1]!;
    return index >= 2 && Math.abs(step(index)) <= 1 && step(index) === step(index - 1);
  };
  const inAlphabet = continues(characters.map((character) => character.codePointAt(0)!));
  const onKeyboard = continues(
    characters.map((character, index) => {
      const place = KEYBOARD.indexOf(character.toLowerCase());
      // Far from each other.
      return place < 0 ? 1_000 * (index + 1) ** 2 : place;
    }),
  );
  return characters.filter((_, index) => !inAlphabet(index) && !onKeyboard(index)).join('');
}
