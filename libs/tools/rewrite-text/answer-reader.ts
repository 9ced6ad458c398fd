const WRAPPERS = ['```markdown', '```md', '<passage>'];
const WRAPPER = /^(?:```(?:markdown|md)?[ \t]*\n|<passage>)/i;
const CLOSING = /(?:```|<\/passage>)$/i;
/** The beginning of a closing mark. */
const PENDING_CLOSING = /(?:`{1,3}|<(?:\/[a-z]{0,7}>?)?)$/i;

/**
 * Removes the code fence or tags that models put around an answer, while it is streamed. Reads each piece once, so the time is linear in the answer's length.
 * @param mayOpenWithCode true if the text itself may begin with a code block
 */
export function createAnswerReader(mayOpenWithCode: boolean) {
  /** Text that is not shown yet: the beginning, until wrapping is decided; then a possible closing mark. */
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
    /** Adds a piece of the answer and returns the text that can be shown now. */
    add(piece: string): string {
      pending += piece;
      return show(false);
    },
    /** Ends the answer and returns the rest. */
    end: (): string => show(true),
  };
}
