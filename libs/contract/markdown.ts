/**
 * Limits within which a Markdown parser takes bounded time. Its time grows with the square of each number, and its stack
 * with the depth, so a few kilobytes of marks could block or crash a process or a browser's tab.
 */
const MAX_LINES = 2_000;
const MAX_BRACKETS = 1_000;
const MAX_EMPHASIS = 2_000;
/** Block quotes, list items and footnotes that begin on one line. */
const MAX_NESTED = 50;

const CONTAINER = String.raw`>|[-*+]|\d{1,9}[.)]|\[\^[^\]\s]+\]:`;
const nested = new RegExp(String.raw`^[ \t]*(?:(?:${CONTAINER})[ \t]*){${MAX_NESTED + 1},}`, 'gm');
const container = new RegExp(CONTAINER, 'g');

/** The text with spaces for the marks beyond the limits. Offsets do not change. */
export function boundMarkdown(markdown: string): string {
  return markdown
    .replace(nested, (run) => run.replace(container, blankBeyond(MAX_NESTED)))
    .replace(/\n/g, blankBeyond(MAX_LINES))
    .replace(/[[\]]/g, blankBeyond(MAX_BRACKETS))
    .replace(/[*_~]/g, blankBeyond(MAX_EMPHASIS));
}

/** A replacer that keeps the first `limit` marks and blanks the others. */
function blankBeyond(limit: number): (mark: string) => string {
  let marks = 0;
  return (mark) => ((marks += 1) > limit ? ' '.repeat(mark.length) : mark);
}

/** The longest answer of an AI service: ten times the longest text of a user. */
export const ANSWER_MAX_CHARACTERS = 200_000;

/** Whether a text can be parsed as a whole, without freezing the page that shows it. */
export const isWithinMarkdownLimits = (markdown: string): boolean =>
  markdown.length <= ANSWER_MAX_CHARACTERS && boundMarkdown(markdown) === markdown;

export const plainLine = (line: string): string =>
  line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)|`/g, (mark, at: number) =>
      line[at - 1] === '\\' ? mark : '',
    )
    .replace(/\\([\\`*_[\]<>|~#&.()!-])/g, '$1')
    .trim();

/** The first heading of level 1, without marks; null without one. */
export const headingOf = (content: string): string | null =>
  plainLine(/^# (.+)$/m.exec(content)?.[1] ?? '') || null;

/** Characters of a text that are read for its title and description. */
const READ_CHARACTERS = 2_000;

/** The first heading of any level, or else the start of the text, as one line without markup. */
export function markdownTitle(markdown: string): string {
  const start = markdown.slice(0, READ_CHARACTERS);
  const heading = /^ {0,3}#{1,6}[ \t]+(\S.*)$/m.exec(start)?.[1];
  return markdownPreview(heading ?? start);
}

/** The start of the text below its heading, as one line without markup. */
export const markdownSummary = (markdown: string): string =>
  markdownPreview(markdown.slice(0, READ_CHARACTERS).replace(/^ {0,3}#[ \t]+.*$/m, ''));

/** The start of a Markdown text as one line without markup. The text may be cut off anywhere. */
export function markdownPreview(markdown: string): string {
  return (
    markdown
      .replace(/^[ \t]*(?:(?:#{1,6}|>|[-*+]|\d+\.)[ \t]+)+/gm, '')
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\*\*|__|~~|`+/g, '')
      // Emphasis touches its words; a multiplication sign has spaces around it.
      .replace(/(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** The heading of the last section of a generated text, which lists its sources. Stored texts have it. */
export const SOURCES_HEADING = 'What this rests on';

const SOURCE = /^[ \t]+[-*+] [*_]{1,2}(?:Resume, page \d+|Job description):/;

/** A Markdown text as its recipient gets it: without the title and the sources, if it has a section of sources. */
export function withoutSources(markdown: string): string {
  const lines = markdown.split('\n');
  const end = lines.findIndex((line) => line.trimEnd() === `## ${SOURCES_HEADING}`);
  if (end < 0) return markdown;
  const text = lines
    .slice(0, end)
    .filter((line, index) => !SOURCE.test(line) && !(index === 0 && line.startsWith('# ')));
  return `${text.join('\n').trim()}\n`;
}
