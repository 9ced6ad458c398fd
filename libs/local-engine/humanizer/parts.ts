import { proseOf, type Prose } from '#libs/local-engine/text/prose.js';

/** A range of running text to rewrite. */
export interface Part {
  /** From 1, in the order of the text. */
  number: number;
  prose: Prose;
  /** The source in one line. */
  text: string;
}

/** The paragraphs of a text. */
export const partsOf = (source: string): Part[] => toParts(source, proseOf(source));

/** The paragraphs of a text, or their lines where a user broke them, as in a letter: a rewritten part has one line. */
export const linesOf = (source: string): Part[] =>
  toParts(
    source,
    proseOf(source).flatMap((prose) => splitLines(source, prose)),
  );

const toParts = (source: string, ranges: Prose[]): Part[] =>
  ranges.map((prose, index) => ({
    number: index + 1,
    prose,
    text: inOneLine(source.slice(prose.start, prose.end)),
  }));

export const inOneLine = (text: string) => text.replace(/(?<!\s)\s*\n\s*/gu, ' ').trim();

function splitLines(source: string, prose: Prose): Prose[] {
  const lines: Prose[] = [];
  let start = prose.start;
  for (const line of source.slice(prose.start, prose.end).split('\n')) {
    // A backslash or two spaces at the end are a line break in Markdown.
    const text = line.replace(/(?:\\|\s+)$/, '');
    const from = start + text.length - text.trimStart().length;
    lines.push({ start: from, end: start + text.length });
    start += line.length + 1;
  }
  const texts = lines.map((line) => source.slice(line.start, line.end));
  return isWrapped(texts) || texts.some((text) => text === '' || hasOpenMark(text)) ? [prose] : lines;
}

/** The shortest width at which editors wrap lines. */
const MIN_WRAP_WIDTH = 50;

/** True if the lines are one text that an editor wrapped: no line has room for the first word of the next. */
function isWrapped(lines: readonly string[]): boolean {
  const width = Math.max(...lines.map((line) => line.length));
  return (
    width >= MIN_WRAP_WIDTH &&
    lines.every((line, index) => {
      const [word = ''] = (lines[index + 1] ?? '').split(' ');
      return index === lines.length - 1 || line.length + 1 + word.length > width;
    })
  );
}

/** True if a line may begin or end inside of a link, code, quotation or emphasis, or is a quotation of Markdown. */
const hasOpenMark = (line: string): boolean =>
  line.startsWith('>') ||
  ['*', '_', '`', '~'].some((mark) => (line.split(mark).length - 1) % 2 === 1) ||
  line.split('[').length !== line.split(']').length;
