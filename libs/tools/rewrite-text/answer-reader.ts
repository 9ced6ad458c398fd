const WRAPPERS = ['```markdown', '```md', '```plaintext', '```text', '```txt', '<passage>'];
const WRAPPER = /^(?:```(?:markdown|md|plaintext|te?xt)?[ \t]*\n|<passage>)/i;
const CLOSING = /(?:```|<\/passage>)$/i;
/** Matches the beginning of a closing fence or tag, which the next chunk may complete. */
const PENDING_CLOSING = /(?:`{1,3}|<(?:\/[a-z]{0,7}>?)?)$/i;

/**
 * Removes the code fence or `<passage>` tags that models put around an answer, while the answer is streamed.
 * @param mayOpenWithCode true if the answer may begin with a code block, so a fence is kept
 */
export function createAnswerReader(mayOpenWithCode: boolean) {
  /** Text not returned yet, because it may be the opening or closing fence or tag. */
  let pending = '';
  let opening: string | undefined;
  let hasStarted = false;

  function readOpening(isWhole: boolean): void {
    const start = pending.trim().toLowerCase();
    if (!isWhole && WRAPPERS.some((wrapper) => wrapper.startsWith(start))) return;
    const wrapper = WRAPPER.exec(pending.trimStart())?.[0] ?? '';
    opening = mayOpenWithCode && wrapper.startsWith('`') ? '' : wrapper;
    if (opening !== '') pending = pending.trimStart().slice(opening.length);
  }

  function show(isWhole: boolean): string {
    if (opening === undefined) readOpening(isWhole);
    if (opening === undefined) return '';
    if (!hasStarted) pending = pending.trimStart();
    const closing = opening !== '' ? (isWhole ? CLOSING : PENDING_CLOSING).exec(pending.trimEnd()) : null;
    const piece = pending.slice(0, closing?.index).trimEnd();
    pending = pending.slice(piece.length);
    hasStarted ||= piece !== '';
    return piece;
  }

  return {
    /** The opening fence or tag that was removed, or an empty text. */
    get opening() {
      return opening ?? '';
    },
    /** Adds a chunk of the answer and returns the text to append to the shown text. */
    add(piece: string): string {
      pending += piece;
      return show(false);
    },
    /** Ends the answer and returns the remaining text. */
    end: (): string => show(true),
  };
}

/** The text before the closing fence or tag of a wrapper after which the model says more. @param opening of the wrapper */
export function beforeClosing(text: string, opening: string): string {
  if (opening === '') return text;
  const marks = opening.startsWith('<') ? /<\/passage>/gi : /^ {0,3}```.*$/gm;
  const found = [...text.matchAll(marks)];
  const last = found.at(-1);
  // Fences in pairs are of code blocks in the text, and a closing fence has no language.
  const isClosing = last !== undefined && found.length % 2 === 1 && !/```.*\w/.test(last[0]);
  return isClosing ? text.slice(0, last.index).trimEnd() : text;
}
