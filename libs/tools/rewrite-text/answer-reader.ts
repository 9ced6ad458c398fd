const WRAPPERS = ['```markdown', '```md', '<passage>'];
const WRAPPER = /^(?:```(?:markdown|md)?[ \t]*\n|<passage>)/i;
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
  let isWrapped: boolean | undefined;
  let hasStarted = false;

  function readOpening(isWhole: boolean): void {
    const start = pending.trim().toLowerCase();
    if (!isWhole && WRAPPERS.some((wrapper) => wrapper.startsWith(start))) return;
    const wrapper = WRAPPER.exec(pending.trimStart())?.[0];
    isWrapped = wrapper !== undefined && !(mayOpenWithCode && wrapper.startsWith('`'));
    if (isWrapped) pending = pending.trimStart().slice(wrapper!.length);
  }

  function show(isWhole: boolean): string {
    if (isWrapped === undefined) readOpening(isWhole);
    if (isWrapped === undefined) return '';
    if (!hasStarted) pending = pending.trimStart();
    const closing = isWrapped ? (isWhole ? CLOSING : PENDING_CLOSING).exec(pending.trimEnd()) : null;
    const piece = pending.slice(0, closing?.index).trimEnd();
    pending = pending.slice(piece.length);
    hasStarted ||= piece !== '';
    return piece;
  }

  return {
    /** Adds a chunk of the answer and returns the text to append to the shown text. */
    add(piece: string): string {
      pending += piece;
      return show(false);
    },
    /** Ends the answer and returns the remaining text. */
    end: (): string => show(true),
  };
}
