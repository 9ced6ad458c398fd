/**
 * Marks of one text that a parser of Markdown reads in time. Its time grows with the square of each number, and its
 * stack with the depth, so a few kilobytes of marks could block or crash a process or a browser's tab.
 */
const MOST_LINES = 2_000;
const MOST_BRACKETS = 1_000;
const MOST_EMPHASIS = 2_000;
/** Block quotes, list items and footnotes that begin on one line. */
const MOST_NESTED = 50;

const CONTAINER = String.raw`>|[-*+]|\d{1,9}[.)]|\[\^[^\]\s]+\]:`;
const nested = new RegExp(String.raw`^[ \t]*(?:(?:${CONTAINER})[ \t]*){${MOST_NESTED + 1},}`, 'gm');
const container = new RegExp(CONTAINER, 'g');

/** The text with spaces for the marks beyond the limits. Offsets do not change. */
export function boundMarkdown(markdown: string): string {
  return markdown
    .replace(nested, (run) => run.replace(container, beyond(MOST_NESTED)))
    .replace(/\n/g, beyond(MOST_LINES))
    .replace(/[[\]]/g, beyond(MOST_BRACKETS))
    .replace(/[*_~]/g, beyond(MOST_EMPHASIS));
}

/** The longest answer of an AI service: ten times the longest text of a user. */
export const ANSWER_MAX_CHARACTERS = 200_000;

/** Whether a text can be parsed as a whole, without freezing the page that shows it. */
export const isWithinMarkdownLimits = (markdown: string): boolean =>
  markdown.length <= ANSWER_MAX_CHARACTERS && boundMarkdown(markdown) === markdown;

/** Keeps the first marks and replaces the others by spaces. */
function beyond(limit: number): (mark: string) => string {
  let marks = 0;
  return (mark) => ((marks += 1) > limit ? ' '.repeat(mark.length) : mark);
}
