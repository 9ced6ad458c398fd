import { most, least, rowText, type Row } from './segments.js';

/** How rows fill their column. */
interface Fit {
  /** Share of the rows, without the last, that have no room for the first word of the next row: wrapped text. */
  full: number;
  /** Average number of words of a row. */
  words: number;
  /** Share of letters among letters and digits. */
  letters: number;
  /** Share of the rows that have a wide gap. */
  gaps: number;
}

const MIN_ROWS = 4;

/** True if the rows are running text that fills its column. */
export function isProse(rows: readonly Row[]): boolean {
  if (rows.length < MIN_ROWS) return false;
  const { full, words, letters, gaps } = fitOf(rows);
  return full >= 0.5 && words >= 2.5 && letters >= 0.75 && gaps <= 0.3;
}

export function fitOf(rows: readonly Row[]): Fit {
  const right = most(rows, endOf);
  const texts = rows.map(rowText);
  const all = texts.join('');
  const letters = all.match(/\p{L}/gu)?.length ?? 0;
  const digits = all.match(/\p{N}/gu)?.length ?? 0;
  const full = rows.slice(1).filter((row, at) => !hasRoomFor(row, rows[at]!, right)).length;
  return {
    full: full / Math.max(1, rows.length - 1),
    words: texts.reduce((sum, text) => sum + text.split(/\s+/u).length, 0) / Math.max(1, rows.length),
    letters: letters / Math.max(1, letters + digits),
    gaps: rows.filter(({ length }) => length > 1).length / Math.max(1, rows.length),
  };
}

/** True if the first word of a row would fit at the end of the row before, up to `right`. */
export function hasRoomFor(row: Row, before: Row, right: number): boolean {
  const text = rowText(row);
  const width = endOf(row) - startOf(row);
  const word = /^\S*/u.exec(text)?.[0].length ?? 0;
  const wordWidth = (width * (word + 1)) / Math.max(1, text.length);
  return endOf(before) + wordWidth <= right + 0.5;
}

export const startOf = (row: Row) => least(row, ({ left }) => left);
export const endOf = (row: Row) => most(row, ({ right }) => right);
