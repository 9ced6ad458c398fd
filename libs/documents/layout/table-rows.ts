import { least, median } from './segments.js';
import { isNumber } from './table-head.js';
import { join, type Line } from './table-lines.js';

/** Distances of lines that differ by this factor are those within and between the rows of a table. */
const LARGER_DISTANCE = 1.25;
/** Lines that are closer than this share of their font's height overlap. */
const OVERLAPPING = 0.85;

/** Joins the lines of each row of a table. */
export function mergeWrapped(lines: Line[]): Line[] {
  const isContinued = continuation(lines);
  const rows: Line[] = [];
  for (const [at, line] of lines.entries()) {
    const row = rows.at(-1);
    if (row && isContinued(at)) row.cells = row.cells.map((cell, k) => join(cell, line.cells[k]!));
    else rows.push({ ...line, cells: [...line.cells] });
  }
  return rows;
}

/** Returns a function that tells whether a line continues the row of the line before. */
function continuation(lines: Line[]): (at: number) => boolean {
  const distance = (at: number) => lines[at]!.base - lines[at - 1]!.base;
  const distances = lines.slice(1).map((_, at) => distance(at + 1));
  const small = least(distances, (value) => value);
  const usual = median(distances);
  const larger = distances.filter((value) => value > LARGER_DISTANCE * small).length;
  // Rows may be further apart than the lines of a cell.
  const bySpace = larger >= lines.length / 6 && larger < distances.length;
  const width = lines[0]?.cells.length ?? 0;
  const filled = (at: number) => lines[at]!.cells.filter(Boolean).length;
  return (at) => {
    if (at === 0) return false;
    const { cells, size } = lines[at]!;
    // Values in the middle beside a name in several lines.
    if (distance(at) < OVERLAPPING * size) return true;
    const before = lines[at - 1]!.cells;
    const hasNumber = cells.some((cell) => cell !== '' && isNumber(cell));
    const startsSmall = /^[\p{Ll}(&]/u.test(cells.find(Boolean) ?? '');
    // A name in several lines, with the values beside the last one or the first one.
    const isName = cells[0] !== '' && startsSmall && distance(at) <= LARGER_DISTANCE * usual;
    if (isName && (filled(at) === 1 || (filled(at - 1) === 1 && before[0] !== ''))) return true;
    if (bySpace)
      return distance(at) <= LARGER_DISTANCE * small && (!hasNumber || filled(at) < filled(at - 1));
    if (cells[0] !== '') return false;
    return !hasNumber && filled(at) <= width / 2;
  };
}
