/** Reads a streamed answer without the fence or tags that models put around it. */
export interface AnswerReader {
  /** Adds a piece of an answer and returns what may be shown of it. */
  add(piece: string): string;
  /** Ends the answer and returns the rest. */
  end(): string;
}

const WRAPPERS = ['```markdown', '```md', '<passage>'];
const WRAPPER = /^(?:```(?:markdown|md)?[ \t]*\n|<passage>)/i;
const CLOSING = /(?:```|<\/passage>)$/i;
/** The beginning of a closing mark. */
const PENDING_CLOSING = /(?:`{1,3}|<(?:\/[a-z]{0,7}>?)?)$/i;

/**
 * Reads each piece once: whatever the answer holds, the time grows with its length.
 * @param mayOpenWithCode whether a code block may begin the text itself
 */
export function createAnswerReader(mayOpenWithCode: boolean): AnswerReader {
  /** What is not shown yet: the beginning, until it is known whether it is wrapped; then what may be its end. */
  let pending = '';
  let isWrapped: boolean | undefined;
  let isShown = false;

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
    if (!isShown) pending = pending.trimStart();
    const closing = isWrapped ? (isWhole ? CLOSING : PENDING_CLOSING).exec(pending.trimEnd()) : null;
    const piece = pending.slice(0, closing?.index).trimEnd();
    pending = pending.slice(piece.length);
    isShown ||= piece !== '';
    return piece;
  }

  return {
    add(piece) {
      pending += piece;
      return show(false);
    },
    end: () => show(true),
  };
}
