import type { Line } from './table-lines.js';

const MAX_HEAD_LINES = 8;
const NUMBER =
  /^[([]?[\s\p{Sc}+±~<>≤≥−–*-]*(?:[A-Z]{3}\s)?\d[\d\s.,:'’/%×x*()–−-]*(?:[\p{Sc}%°*†‡]|[a-zA-Zµ]{1,3}\d?)?[)\]]?[*†‡]?$/u;
const NO_VALUE = /^[-–—−.*…]+$|^n\/?a$|^\(?[XNZ]\)?$/iu;

export const isNumber = (cell: string) => NUMBER.test(cell) || NO_VALUE.test(cell);

const isYear = (cell: string) => /^(?:19|20)\d\d(?:[-/–]\d\d(?:\d\d)?)?$/.test(cell);

/** Lines that end with dots and a number, or with numbers that rise, are a table of contents or an index. */
export function isContents(lines: Line[]): boolean {
  if (lines[0]!.cells.length > 3) return false;
  const leaders = lines.filter(({ hasLeaders }) => hasLeaders).length;
  if (leaders > lines.length / 3) return true;
  const numbers = lines.map(({ cells }) => cells.at(-1)!).filter((cell) => /^\d{1,4}$/.test(cell));
  const rising = numbers.filter((cell, at) => at > 0 && Number(cell) >= Number(numbers[at - 1])).length;
  return numbers.length > 0.7 * lines.length && rising >= 0.95 * (numbers.length - 1);
}

/** Counts the lines at the top that name the columns. */
export function countHeadRows(lines: Line[]): number {
  const numeric = numericColumns(lines);
  return numeric.length > 0 ? linesAboveNumbers(lines, numeric) : styledLines(lines);
}

function numericColumns(lines: Line[]): number[] {
  return lines[0]!.cells.flatMap((_, k) => {
    const filled = lines.map(({ cells: own }) => own[k]!).filter(Boolean);
    // The lower half, since a head may have more lines than the rows below.
    const cells = filled.slice(Math.floor(filled.length / 2));
    return filled.length > 1 && cells.filter(isNumber).length >= 0.6 * cells.length ? [k] : [];
  });
}

/** The lines above the first one with a value. Years name columns, unless the next lines have years too. */
function linesAboveNumbers(lines: Line[], numeric: number[]): number {
  const filledOf = ({ cells }: Line) => numeric.map((k) => cells[k]!).filter(Boolean);
  const areYears = (line: Line) => filledOf(line).every(isYear);
  const isData = (line: Line, at: number) => {
    const filled = filledOf(line);
    const values = filled.filter((cell) => isNumber(cell) && (!isYear(cell) || numeric.length === 1));
    if (values.length > filled.length / 2) return line.cells[0] !== '' || filled.length > 1;
    if (filled.length === 0 || !areYears(line)) return false;
    return at > 0 || !lines.slice(1, 4).some((next) => filledOf(next).length > 0 && !areYears(next));
  };
  const first = lines.findIndex(isData);
  if (first < 0 || first > MAX_HEAD_LINES) return 0;
  // A name in the first column only is that of the first rows.
  let count = first;
  while (count > 0 && isOnlyFirst(lines[count - 1]!)) count -= 1;
  return count;
}

const isOnlyFirst = ({ cells, spans }: Line) =>
  spans.length === 0 && cells[0] !== '' && cells.slice(1).every((cell) => cell === '');

/** The lines at the top in another font than the others, or the first line if only the others have digits. */
function styledLines(lines: Line[]): number {
  const bodyFont = mostFrequent(lines.slice(Math.floor(lines.length / 3)).map(({ font }) => font));
  let count = 0;
  while (count < Math.min(MAX_HEAD_LINES, lines.length - 1)) {
    const { font, cells, spans } = lines[count]!;
    const filled = cells.filter(Boolean).length + spans.length;
    if (font === bodyFont || (count === 0 && filled < 2)) break;
    count += 1;
  }
  if (count > 0) return count;
  const hasDigits = ({ cells }: Line) => cells.some((cell) => /\d/.test(cell));
  const first = lines[0]!;
  const isFull = first.cells.filter(Boolean).length >= first.cells.length - 1;
  const areShort = first.cells.every((cell) => cell.length <= 40);
  const others = lines.slice(1).filter(hasDigits).length;
  return isFull && areShort && !hasDigits(first) && others > lines.length / 2 ? 1 : 0;
}

function mostFrequent(values: string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}
