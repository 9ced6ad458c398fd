import { columnEdges, findGutter } from './gutters.js';
import { fitOf, isProse } from './prose.js';
import { toRows, type Row, type Segment } from './segments.js';
import { toTable, type Table } from './tables.js';

/** A part of a page: rows of one column, or a table. */
export type Region = { rows: Row[] } | { table: Table };

/** Columns in columns in columns are as deep as pages go. */
const MAX_LEVELS = 8;
/** Columns whose lines follow each other in the file change sides less often than this, per row. */
const COLUMN_ORDER = 0.35;
/** Least share of the rows of the shorter column that have text in the other one too, in a table. */
const ALIGNED = 0.5;

/** Divides a region into columns and tables, in reading order. */
export function divide(rows: Row[], level = 0): Region[] {
  const gutter = level < MAX_LEVELS ? findGutter(rows) : null;
  if (!gutter) return rows.length > 0 ? [{ rows }] : [];
  const above = rows.slice(0, gutter.from);
  const band = rows.slice(gutter.from, gutter.to);
  const below = rows.slice(gutter.to);
  const segments = band.flat();
  const isBefore = ({ right }: Segment) => right <= gutter.left + 0.01;
  const sides = [segments.filter(isBefore), segments.filter((segment) => !isBefore(segment))].map(toRows);
  if (areColumns(band, sides, isBefore)) {
    return [above, ...sides, below].flatMap((part) => divide(part, level + 1));
  }
  const { before, table, after } = toTable(above, band);
  if (table) return [...divide(before, level + 1), { table }, ...divide([...after, ...below], level + 1)];
  return [...divide(above, level + 1), { rows: band }, ...divide(below, level + 1)];
}

/** True if the two sides of a gutter are read one after the other, false if row by row. */
function areColumns(band: Row[], sides: Row[][], isBefore: (segment: Segment) => boolean): boolean {
  const [left, right] = sides as [Row[], Row[]];
  if (isProse(left) && isProse(right)) return !areRowsOfBlocks(band, isBefore);
  const shorter = Math.min(left.length, right.length);
  const aligned = band.filter((row) => row.some(isBefore) && !row.every(isBefore)).length / shorter;
  if (aligned < ALIGNED) return true;
  if (switches(band, isBefore) / shorter > COLUMN_ORDER) return false;
  // Some programs write a table column by column. Its cells are short, and all its rows have the same height.
  const isTable =
    aligned > 0.9 && left.length + right.length > 5 && fitOf(left).words < 4 && fitOf(right).words < 4;
  return !(isTable && columnEdges(band).length > 1);
}

function switches(band: Row[], isBefore: (segment: Segment) => boolean): number {
  const sides = band
    .flat()
    .sort((a, b) => a.order - b.order)
    .map(isBefore);
  return sides.filter((side, at) => at > 0 && side !== sides[at - 1]).length;
}

/** True if gaps across both columns divide the text into blocks that begin side by side: rows of a table with long cells. */
function areRowsOfBlocks(band: Row[], isBefore: (segment: Segment) => boolean): boolean {
  const distances = band.slice(1).map((row, at) => row[0]!.base - band[at]![0]!.base);
  const usual = distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)] ?? 0;
  const starts = band.filter((_, at) => at === 0 || distances[at - 1]! > 1.3 * usual);
  if (starts.length < 3) return false;
  const both = starts.filter((row) => row.some(isBefore) && !row.every(isBefore));
  return both.length >= 0.9 * starts.length && band.length / starts.length <= 6;
}
