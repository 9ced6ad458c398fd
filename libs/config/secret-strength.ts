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

/** By this estimate 32 random hexadecimal digits have over 100 bits. */
const SECRET_MIN_BITS = 80;

/** What examples have in place of a secret. */
const PLACEHOLDER = /^(?:change|replace)[-_ ]?(?:this|me|it)/i;

/** False for sequences, few different characters, and placeholders such as "change-this". */
export function isRandom(text: string): boolean {
  const rest = withoutSequences(text);
  return !PLACEHOLDER.test(text) && rest.length * Math.log2(new Set(rest).size) >= SECRET_MIN_BITS;
}

/** The text without the characters that are as far from the one before as that is from its own: 0, 1 or -1. */
function withoutSequences(text: string): string {
  const codes = Array.from(text, (character) => character.codePointAt(0)!);
  const step = (index: number) => codes[index]! - codes[index - 1]!;
  return Array.from(text)
    .filter((_, index) => index < 2 || Math.abs(step(index)) > 1 || step(index) !== step(index - 1))
    .join('');
}
