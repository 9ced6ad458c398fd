/** Reads a streamed answer without the fence or tags that models put around it. */
export interface AnswerReader {
  /** Adds a piece of an answer and returns what may be shown of it. */
  add(piece: string): string;
  /** Ends the answer and returns the rest. */
  end(): string;
}

const WRAPPERS = ['```markdown\n', '```md\n', '```\n', '<passage>'];
const WRAPPER = /^(?:```(?:markdown|md)?[ \t]*\n|<passage>)\s*/i;
const CLOSING = /\s*(?:```|<\/passage>)\s*$/i;
/** What may become a closing mark, or white space at the end of the answer. */
const PENDING_CLOSING = /\s*(?:`{1,3}|<(?:\/[a-z]{0,7}>?)?)?\s*$/i;

/** @param mayOpenWithCode whether a code block may begin the text itself */
export function createAnswerReader(mayOpenWithCode: boolean): AnswerReader {
  let answer = '';
  let shown = 0;
  const bodyOf = (isWhole: boolean): string => {
    const text = answer.trimStart();
    const start = text.toLowerCase();
    if (!isWhole && WRAPPERS.some((wrapper) => wrapper.startsWith(start))) return '';
    const wrapper = WRAPPER.exec(text)?.[0];
    const isWrapped = wrapper !== undefined && !(mayOpenWithCode && wrapper.startsWith('`'));
    if (!isWrapped) return text.trimEnd();
    const inside = text.slice(wrapper.length);
    return inside.replace(isWhole ? CLOSING : PENDING_CLOSING, '').trimEnd();
  };
  const show = (isWhole: boolean): string => {
    const body = bodyOf(isWhole);
    const piece = body.slice(shown);
    shown = Math.max(shown, body.length);
    return piece;
  };
  return {
    add(piece) {
      answer += piece;
      return show(false);
    },
    end: () => show(true),
  };
}
