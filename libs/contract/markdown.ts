import { withoutInlineTags } from './inline-tags.js';

/**
 * Limits for Markdown that is parsed. A parser's time grows with the square of the marks in one block and its stack with the
 * nesting depth, so without limits a few kilobytes of marks could block or crash a server process or a browser tab.
 */
const limits = [
  { marks: /\n/g, max: 10_000, maxInBlock: 2_000, of: 'lines' },
  { marks: /[[\]]/g, max: 6_000, maxInBlock: 1_000, of: 'tasks, links and footnotes' },
  { marks: /[*_~]/g, max: 12_000, maxInBlock: 2_000, of: 'bold, italic and struck out words' },
  { marks: /`/g, max: 20_000, maxInBlock: 10_000, of: 'pieces of code' },
  { marks: /</g, max: 25_000, maxInBlock: 25_000, of: 'tags' },
  { marks: /@|:\/\/(?:www\.)?|www\./gi, max: 12_000, maxInBlock: 6_000, of: 'addresses' },
] as const;
/** Lines at which a block ends: a blank one, a heading, or an item of a bulleted list. */
const BLOCK_START = /^(?:[ \t\r]*$| {0,3}(?:#{1,6}|[-*+])[ \t]+\S)/gm;
/** Maximum nesting of block quotes, list items and footnotes on one line. */
const MAX_NESTED = 50;

const CONTAINER = String.raw`>|[-*+]|\d{1,9}[.)]|\[\^[^\]\s]+\]:`;
const nested = new RegExp(String.raw`^[ \t]*(?:(?:${CONTAINER})[ \t]*){${MAX_NESTED + 1},}`, 'gm');
const container = new RegExp(CONTAINER, 'g');

/** Combining characters beyond the 30 in a row that Unicode's stream-safe format allows. Browsers freeze on 100,000. */
export const EXCESS_MARKS = /(?<=\p{M}{30})\p{M}+/gu;

/** The row of dashes below the header of a table, also within a quotation. */
const DELIMITER_ROW = /^[>|:\- \t\r]+$/;
/** Maximum cells of all tables. A page fills each row up to the columns of the header, also a row of one letter. */
const MAX_CELLS = 20_000;

/** The offset of the first table row beyond {@link MAX_CELLS}; -1 if there is none. */
function findCellExcess(markdown: string): number {
  let [cells, columns, at] = [0, 0, 0];
  for (const line of markdown.split('\n')) {
    if (/[|:]/.test(line) && DELIMITER_ROW.test(line)) columns = line.match(/-+/g)?.length ?? 0;
    else if (line.trim() === '') columns = 0;
    cells += columns;
    if (cells > MAX_CELLS) return at;
    at += line.length + 1;
  }
  return -1;
}

/**
 * Maximum characters in a row, within a word with an address, that could be behind the address. At each of them, the parser reads
 * the rest of the row.
 */
const MAX_TRAIL = 100;
const TRAIL = /(?:[!"')*,.:;?_~\]]|&[a-z]*;?)+/gi;

/** The offsets of characters that divide the rows of a text into such of {@link MAX_TRAIL}. */
function* findTrailExcess(markdown: string): Generator<number> {
  for (const { 0: word, index } of markdown.matchAll(/\S+/g)) {
    if (!/:\/\/|www\./i.test(word)) continue;
    for (const { 0: row, index: start } of word.matchAll(TRAIL))
      for (let at = MAX_TRAIL; at < row.length; at += MAX_TRAIL + 1) yield index + start + at;
  }
}

function blankTrailExcess(markdown: string): string {
  let blanked = '';
  let start = 0;
  for (const at of findTrailExcess(markdown)) {
    blanked += `${markdown.slice(start, at)} `;
    start = at + 1;
  }
  return blanked + markdown.slice(start);
}

/** Makes a text safe to parse: replaces marks beyond the limits with spaces, so offsets in the text stay the same. */
export function boundMarkdown(markdown: string): string {
  const flat = markdown.replace(nested, (run) => run.replace(container, blankBeyond(MAX_NESTED)));
  return limits.reduce((bounded, limit) => {
    const isBeyond = counterOf(bounded, limit);
    return bounded.replace(limit.marks, (mark, at: number) =>
      isBeyond(at) ? ' '.repeat(mark.length) : mark,
    );
  }, blankTrailExcess(flat));
}

/** What a text has too many of, and the offset of the first one too many; null if the text can be parsed whole. */
export function markdownExcess(markdown: string): { of: string; at: number } | null {
  for (const limit of limits) {
    const isBeyond = counterOf(markdown, limit);
    for (const { index } of markdown.matchAll(limit.marks))
      if (isBeyond(index)) return { of: limit.of, at: index };
  }
  const deep = markdown.search(nested);
  if (deep >= 0) return { of: 'levels of lists and quotes', at: deep };
  const cell = findCellExcess(markdown);
  if (cell >= 0) return { of: 'cells of tables', at: cell };
  const [trail] = findTrailExcess(markdown);
  if (trail !== undefined) return { of: 'punctuation marks in a row', at: trail };
  const mark = markdown.search(EXCESS_MARKS);
  return mark < 0 ? null : { of: 'accents on one letter', at: mark };
}

/** Creates a function that counts the marks of a text, called in their order, and tells whether one is beyond a limit. */
function counterOf(
  text: string,
  { max, maxInBlock }: { max: number; maxInBlock: number },
): (at: number) => boolean {
  const starts = text.matchAll(BLOCK_START);
  let nextStart = starts.next();
  let all = 0;
  let inBlock = 0;
  return (at) => {
    for (; nextStart.value && nextStart.value.index <= at; nextStart = starts.next()) inBlock = 0;
    all += 1;
    inBlock += 1;
    return all > max || inBlock > maxInBlock;
  };
}

/** Creates a function for `String.replace` that keeps the first `limit` matches and replaces the others with spaces. */
function blankBeyond(limit: number): (mark: string) => string {
  let marks = 0;
  return (mark) => ((marks += 1) > limit ? ' '.repeat(mark.length) : mark);
}

/** Maximum length of a text from an AI service: ten times the longest text that a user may enter. */
export const ANSWER_MAX_CHARACTERS = 200_000;

/** Maximum length of a text that is parsed whole. */
export const MARKDOWN_MAX_CHARACTERS = 300_000;

/** True if the text can be parsed whole, without freezing the page. */
export const isWithinMarkdownLimits = (markdown: string): boolean =>
  markdown.length <= MARKDOWN_MAX_CHARACTERS && markdownExcess(markdown) === null;

export const plainLine = (line: string): string =>
  withoutInlineTags(line)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)|`/g, (mark, at: number) =>
      line[at - 1] === '\\' ? mark : '',
    )
    .replace(/\\([\\`*_[\]<>|~#&.()!-])/g, '$1')
    .trim();

/** Titles and descriptions are made from the first characters of a text only. */
const READ_CHARACTERS = 2_000;
const HEADING = new RegExp(`^# (.{1,${READ_CHARACTERS}})`, 'mu');

/** The text of the first heading of level 1, without markup; null if there is no such heading. */
export const headingOf = (content: string): string | null =>
  plainLine(HEADING.exec(content)?.[1] ?? '') || null;

/** The first heading of any level, or the start of the text if it has no heading, as one line without markup. */
export function markdownTitle(markdown: string): string {
  const start = markdown.slice(0, READ_CHARACTERS);
  const heading = /^ {0,3}#{1,6}[ \t]+(\S.*)$/m.exec(start)?.[1];
  return markdownPreview(heading ?? start);
}

/** The start of the text after its title (the heading of level 1), as one line without markup. */
export const markdownSummary = (markdown: string): string =>
  markdownPreview(markdown.slice(0, READ_CHARACTERS).replace(/^ {0,3}#[ \t]+.*$/m, ''));

/** Converts Markdown to one line of plain text. The Markdown may be cut off anywhere, even within markup. */
export function markdownPreview(markdown: string): string {
  return (
    withoutInlineTags(markdown)
      .replace(/^[ \t]*(?:(?:#{1,6}|>|[-*+]|\d+\.)[ \t]+)+/gm, '')
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\*\*|__|~~|`+/g, '')
      // Removes `*` and `_` only next to a word, and so keeps multiplication signs, which have spaces around them.
      .replace(/(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** Heading of the section that lists a generated text's sources. Stored texts contain this heading, so do not change it. */
export const SOURCES_HEADING = 'What this rests on';

const SOURCE = /^[ \t]+[-*+] [*_]{1,2}(?:Resume, page \d+|Job description):/;

/** Removes the title and the sources from a generated letter or resume section; other texts are returned unchanged. */
export function withoutSources(markdown: string): string {
  const lines = markdown.split('\n');
  const end = lines.findIndex((line) => line.trimEnd() === `## ${SOURCES_HEADING}`);
  if (end < 0) return markdown;
  const text = lines
    .slice(0, end)
    .filter((line, index) => !SOURCE.test(line) && !(index === 0 && line.startsWith('# ')));
  return `${text.join('\n').trim()}\n`;
}
