/** The prompt after an answer that reached the model's maximum length. */
export const CONTINUE_PROMPT =
  'Your answer was cut off at its maximum length. Continue it. Begin by repeating its last eight words exactly, then go on. ' +
  'Write nothing about this request.';

/** Characters at the end of the first part that the continuation may repeat. */
const MAX_OVERLAP = 400;
/** A shorter repetition may be by chance. */
const MIN_OVERLAP = 8;

/** A first line about the continuation: "Sure! Here is the rest of the article:". */
const REMARK =
  /^\s*(?=[^\n]{0,200}\b(?:rest|continu\w*|remain\w*|left off|cut off|picking up)\b)(?:sure|certainly|of course|okay|ok|here(?: is|['’]s)|continuing|picking up|apologies|sorry)\b[^\n]{0,200}(?:[:.!…]|\.\.\.)\**\s*\n\s*/i;

/** Joins the continuation of an answer to its first part while it streams, and leaves out what it repeats. */
export class Continuation {
  /** The start of the continuation; null once it is joined. */
  private start: string | null = '';

  /** @param before the first part of the answer */
  constructor(private readonly before: string) {}

  /** @returns the text that follows the first part */
  add(piece: string): string {
    if (this.start === null) return piece;
    this.start += piece;
    return this.start.length < MAX_OVERLAP ? '' : this.end();
  }

  end(): string {
    if (this.start === null) return '';
    const text = withoutOverlap(this.before, this.start);
    this.start = null;
    return text;
  }
}

/** The part of `after` that `before` does not end with, with the white space that belongs between them. */
function withoutOverlap(before: string, after: string): string {
  const text = after.replace(REMARK, '').replace(/^\s*(?:\.\.\.|…)\s*/, '');
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
