import type { Row, Segment } from './segments.js';
import { WRAP } from './wrap.js';

/** A row of a page, as the text of each column of a table. */
export interface Line {
  cells: string[];
  base: number;
  size: number;
  font: string;
  /** Text that lies in several columns. */
  spans: { text: string; first: number; last: number }[];
  hasLeaders: boolean;
}

/** Dots that lead from a name to its value. */
const LEADERS = /(?:\s*\.){4,}\s*$|\s*…{2,}\s*$|\s*_{4,}\s*$/u;

/** @param edges positions between the columns */
export function toLine(row: Row, edges: readonly number[]): Line {
  const cells = Array.from({ length: edges.length + 1 }, () => '');
  const spans: Line['spans'] = [];
  for (const segment of row) {
    const [first, last] = columnsOf(segment, edges);
    if (last > first) spans.push({ text: segment.text, first, last });
    else cells[first] = join(cells[first]!, segment.text.replace(LEADERS, ''));
  }
  const { base, size, font } = row[0]!;
  return { cells, base, size, font, spans, hasLeaders: row.some(({ text }) => LEADERS.test(text)) };
}

function columnsOf({ left, right, size }: Segment, edges: readonly number[]): [number, number] {
  // A cell may reach a little over the edge.
  const within = Math.min(0.3 * size, (right - left) / 4);
  const first = edges.filter((edge) => edge <= left + within).length;
  return [first, Math.max(first, edges.filter((edge) => edge < right - within).length)];
}

/** Joins two lines of a cell. */
export const join = (before: string, after: string) =>
  before && after ? `${before}${WRAP}${after}` : before || after;
