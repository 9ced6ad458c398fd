import { toFrames, type Run } from './frames.js';
import type { PageItem, PageItems } from './page-items.js';
import { toParagraphs } from './paragraphs.js';
import { divide } from './regions.js';
import { toRows, toSegments, type Row } from './segments.js';
import { toMarkdownTable } from './table-text.js';
import { WRAP } from './wrap.js';

/** Pages with more runs are no documents to read, and would take long: their text is in the file's order. */
const MAX_RUNS = 50_000;
/** A header or footer has at most so many rows, and is this many heights of its font away from the text. */
const MAX_RUNNING_ROWS = 2;
const RUNNING_DISTANCE = 2;
const MIN_ROWS = 8;

/**
 * Writes the text of a page in reading order. Blocks are apart by an empty line, tables are in Markdown, and wrapped lines end
 * with {@link WRAP}.
 */
export function toPageText({ items }: PageItems): string {
  const texts = items.filter(({ source }) => source !== 'comment').map(withLabel);
  const comments = items.filter(({ source }) => source === 'comment');
  const parts =
    texts.length > MAX_RUNS ? [texts.map(({ text }) => text).join('\n')] : toFrames(texts).map(toFrameText);
  return [...parts, ...comments.map(({ text }) => text)].filter((part) => part !== '').join('\n\n');
}

const withLabel = (item: PageItem): PageItem =>
  item.source === 'field' && item.label !== undefined
    ? { ...item, text: `${item.label}: ${item.text}` }
    : item;

function toFrameText(runs: Run[]): string {
  const rows = toRows(toSegments(runs));
  const { header, body, footer } = splitRunningRows(rows);
  const parts = divide(body).map((region) =>
    'table' in region ? toMarkdownTable(region.table) : toParagraphs(region.rows),
  );
  return [
    ...header.map((row) => toParagraphs([row])),
    ...joinParts(parts),
    ...footer.map((row) => toParagraphs([row])),
  ].join('\n\n');
}

/** A header or footer would otherwise be taken for the ends of columns. */
function splitRunningRows(rows: Row[]) {
  if (rows.length < MIN_ROWS) return { header: [], body: rows, footer: [] };
  const isFar = (at: number) => {
    const [before, row] = [rows[at - 1]![0]!, rows[at]![0]!];
    return row.base - before.base > RUNNING_DISTANCE * Math.max(before.size, row.size);
  };
  let from = 0;
  let to = rows.length;
  for (let count = 1; count <= MAX_RUNNING_ROWS; count += 1) {
    if (isFar(count)) from = count;
    if (isFar(rows.length - count)) to = rows.length - count;
  }
  return { header: rows.slice(0, from), body: rows.slice(from, to), footer: rows.slice(to) };
}

/** Joins a paragraph that goes on in the next column. */
function joinParts(parts: string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    const goesOn = before !== undefined && /[\p{Ll},\p{Pd}]$/u.test(before) && /^\p{Ll}/u.test(part);
    if (goesOn && !before.endsWith('|')) joined[joined.length - 1] = before + WRAP + part;
    else joined.push(part);
  }
  return joined;
}
