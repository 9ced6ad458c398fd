/** What a model is asked after an answer that reached its maximum length. */
export const CONTINUE =
  'Your answer was cut off at its maximum length. Continue it. Begin by repeating its last eight words exactly, then go on. ' +
  'Write nothing about this request.';

/** Characters at the end of the first part that the continuation may repeat. */
const MAX_OVERLAP = 400;
/** A shorter repetition may be by chance. */
const MIN_OVERLAP = 8;

/** Joins the continuation of an answer to its first part without a seam, while it streams. */
export class Continuation {
  /** Null once the seam is found. */
  private waiting: string | null = '';

  /** @param before the first part of the answer */
  constructor(private readonly before: string) {}

  /** @returns the text that follows the first part */
  add(piece: string): string {
    if (this.waiting === null) return piece;
    this.waiting += piece;
    return this.waiting.length < MAX_OVERLAP ? '' : this.end();
  }

  end(): string {
    if (this.waiting === null) return '';
    const text = afterSeam(this.before, this.waiting);
    this.waiting = null;
    return text;
  }
}

/** The part of `after` that `before` does not end with, with the white space that belongs between them. */
function afterSeam(before: string, after: string): string {
  const text = after.replace(/^\s*(?:\.\.\.|…)\s*/, '');
  const repeated = text.trimStart();
  const end = before.trimEnd();
  for (let length = Math.min(MAX_OVERLAP, end.length, repeated.length); length >= MIN_OVERLAP; length -= 1)
    if (end.endsWith(repeated.slice(0, length))) {
      const rest = repeated.slice(length);
      // White space at the end of the first part was shown already.
      return before.length > end.length ? rest.trimStart() : rest;
    }
  if (/\s$/.test(before) || /^\s/.test(text) || text === '') return text;
  if (/^(?:#{1,6} |[-*+] |\d+[.)] |> |\||```)/.test(text)) return `\n\n${text}`;
  return /^[\p{L}\p{N}("“‘]/u.test(text) &&
    !/[-\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u.test(before)
    ? ` ${text}`
    : text;
}
