import { columnEdges } from './gutters.js';
import type { Row, Segment } from './segments.js';
import { countHeadRows, isContents } from './table-head.js';
import { join, toLine, type Line } from './table-lines.js';
import { mergeWrapped } from './table-rows.js';

export interface Table {
  /** One name for each column; empty if the table has no head. */
  head: string[];
  rows: string[][];
}

/** The rows above a table, the table and the rows below; the rows as they are if they are no table. */
export interface TableBand {
  before: Row[];
  table: Table | null;
  after: Row[];
}

const MIN_ROWS = 3;
/** Lines of a head above the first line that has text in the first column. */
const MAX_HEAD_LINES = 8;
/** Rows that are this many heights of their font apart do not belong together. */
const FAR_APART = 2.2;
/** Parts of a head that are closer, in heights of the font, are one name with wide spaces. */
const CLOSE_NAMES = 3;

/**
 * Makes a table of a band of rows.
 * @param above rows before the band, of which the last may be its head
 */
export function toTable(above: Row[], band: Row[]): TableBand {
  const isAlone = (row: Row) => row.length === 1;
  const first = band.findIndex((row) => !isAlone(row));
  const last = band.findLastIndex((row) => !isAlone(row));
  const none = { before: [...above, ...band], table: null, after: [] };
  if (first < 0) return none;
  const edges = columnEdges(band.slice(first, last + 1));
  if (edges.length === 0) return none;
  const rows = [...above, ...band];
  const from = headStart(rows, above.length + first, edges);
  const to = tableEnd(rows, above.length + last, edges);
  const table = buildTable(rows.slice(from, to), edges);
  return table ? { before: rows.slice(0, from), table, after: rows.slice(to) } : none;
}

const distance = (rows: Row[], at: number) => rows[at]![0]!.base - rows[at - 1]![0]!.base;

/** Rows above the first full one belong to the head if they have no text in the first column and fit the columns. */
function headStart(rows: Row[], full: number, edges: readonly number[]): number {
  let from = full;
  while (from > 0 && full - from < MAX_HEAD_LINES) {
    const row = rows[from - 1]!;
    const { cells, spans } = toLine(row, edges);
    const isFar = distance(rows, from) > FAR_APART * row[0]!.size;
    if (isFar || spans.some((span) => span.first === 0) || (row.length === 1 && cells[0] !== '')) break;
    from -= 1;
  }
  return from;
}

/** Rows below the last full one belong to the table if they go on with its cells. */
function tableEnd(rows: Row[], full: number, edges: readonly number[]): number {
  const usual = full > 0 ? distance(rows, full) : 0;
  let to = full + 1;
  while (to < rows.length) {
    const { cells, spans } = toLine(rows[to]!, edges);
    const isNear = distance(rows, to) <= 1.1 * usual;
    const goesOn = cells[0] === '' || /^\p{Ll}/u.test(cells[0]!);
    if (!isNear || !goesOn || spans.length > 0) break;
    to += 1;
  }
  return to;
}

function buildTable(rows: Row[], allEdges: readonly number[]): Table | null {
  const edges = withoutEmptyColumns(rows, allEdges);
  const lines = rows.map((row) => toLine(row, edges));
  const width = edges.length + 1;
  if (lines.length < MIN_ROWS || isContents(lines)) return null;
  const headRows = countHeadRows(lines);
  const body = mergeWrapped(lines.slice(headRows).map(withSpans));
  if (width < 2 || body.length === 0 || (width === 2 && (headRows === 0 || body.length < 2))) return null;
  return { head: toHead(lines.slice(0, headRows), width), rows: body.map(({ cells }) => cells) };
}

/** Leaves out edges beside columns that have no values, and whose name is close to the name of the column before. */
function withoutEmptyColumns(rows: Row[], edges: readonly number[]): number[] {
  const lines = rows.map((row) => toLine(row, edges));
  const head = countHeadRows(lines);
  const hasValues = (column: number) => lines.slice(head).some(({ cells }) => cells[column] !== '');
  return edges.filter((edge, at) => {
    if (!hasValues(at) && at === 0 && lines.every(({ cells }) => cells[0] === '')) return false;
    return hasValues(at + 1) || gapAt(edge, rows.slice(0, head)) > CLOSE_NAMES;
  });
}

/** The narrowest gap at an edge, in heights of the font. */
function gapAt(edge: number, rows: Row[]): number {
  const gaps = rows.flatMap((row) => {
    const before: Segment | undefined = row.findLast(({ right }) => right <= edge);
    const after = row.find(({ left }) => left >= edge);
    return before && after ? [(after.left - before.right) / after.size] : [];
  });
  return gaps.length > 0 ? Math.min(...gaps) : 0;
}

/** In a row of the body, text over several columns stands in the first of them. */
function withSpans(line: Line): Line {
  const cells = [...line.cells];
  for (const { text, first } of line.spans) cells[first] = join(cells[first]!, text);
  return { ...line, cells, spans: [] };
}

/** The names of the columns: those of several rows are joined, and a name over several columns is one of each. */
function toHead(lines: Line[], width: number): string[] {
  return Array.from({ length: width }, (_, k) =>
    lines.reduce((name, { cells, spans }) => {
      const over = spans.find(({ first, last }) => k >= first && k <= last);
      return join(name, [over?.text, cells[k]].filter(Boolean).join(' '));
    }, ''),
  );
}
