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
  if (isWrapped(texts) || texts.some((text) => text === '' || text.startsWith('>'))) return [prose];
  return joinOpenLines(source, prose, lines);
}

/** Joins lines between which a link, code or emphasis goes on. */
function joinOpenLines(source: string, prose: Prose, lines: readonly Prose[]): Prose[] {
  const whole = source.slice(prose.start, prose.end);
  // A mark without a second one is a character of the text.
  const marks = MARKS.filter((mark) => !mark.isOpen(whole));
  const joined: Prose[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    const before = last && source.slice(last.start, last.end);
    if (before !== undefined && marks.some((mark) => mark.isOpen(before))) last!.end = line.end;
    else joined.push({ ...line });
  }
  return joined;
}

const hasOddCount = (pattern: RegExp) => ({
  isOpen: (text: string) => (text.match(pattern)?.length ?? 0) % 2 === 1,
});

/** Marks of Markdown in pairs, without the underscores of "my_report" and the asterisk of "5 * 3". */
const MARKS = [
  ...[/(?<=\S)\*|\*(?=\S)/g, /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, /`/g, /~~/g].map(hasOddCount),
  { isOpen: (text: string) => text.split('[').length !== text.split(']').length },
];

/** The shortest width at which editors wrap lines. */
const MIN_WRAP_WIDTH = 50;

/** True if the lines are one text that an editor wrapped: no line has room for the first word of the next. */
function isWrapped(lines: readonly string[]): boolean {
  const width = Math.max(...lines.map((line) => line.length));
  const [, second = '', ...others] = lines;
  // Of two lines, the second may be a name or a verse.
  const goesOn = others.length > 0 || /^[\p{Ll}\p{Lo}]/u.test(second);
  return (
    width >= MIN_WRAP_WIDTH &&
    goesOn &&
    lines.every((line, index) => {
      const [word = ''] = (lines[index + 1] ?? '').split(' ');
      return index === lines.length - 1 || line.length + 1 + word.length > width;
    })
  );
}
