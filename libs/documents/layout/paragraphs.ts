import { endOf, hasRoomFor, isProse, startOf } from './prose.js';
import { WRAP } from './wrap.js';
import { median, most, rowText, type Row } from './segments.js';

/** A distance of two rows larger by this factor than usual separates paragraphs. */
const LARGER_DISTANCE = 1.3;
/** Fonts whose heights differ by this factor are those of a heading and its text. */
const OTHER_SIZE = 1.15;
/** Lines of fewer characters are those of lists and addresses, unless a whole column has such lines. */
const MIN_CHARACTERS = 30;
/** Justified text has narrower gaps, in heights of its font. */
const CELL_GAP = 2;
const LONG_SHARE = 0.7;
const SMALL_SHARE = 0.2;
/** An item of a list begins a line. */
const ITEM = /^(?:[•·▪‣◦●○■□✓➢–—*-]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivx]{1,4}[.)])\s/u;

/** Writes the rows of one column: paragraphs apart by an empty line, wrapped lines joined, other lines kept. */
export function toParagraphs(rows: Row[]): string {
  const isColumnOfProse = isProse(rows);
  const right = most(rows, endOf);
  return toBlocks(rows)
    .map((block) => joinLines(block, isColumnOfProse, right))
    .join('\n\n');
}

function toBlocks(rows: Row[]): Row[][] {
  const usual = usualDistances(rows);
  const blocks: Row[][] = [];
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1];
    if (before && !isApart(before, row, usual)) blocks.at(-1)!.push(row);
    else blocks.push([row]);
  }
  return blocks;
}

/** The usual distance of two rows of one font, by its rounded height. */
function usualDistances(rows: Row[]): Map<number, number> {
  const found = new Map<number, number[]>();
  for (const [at, row] of rows.slice(1).entries()) {
    const before = rows[at]!;
    const size = Math.round(sizeOf(row));
    if (size !== Math.round(sizeOf(before))) continue;
    const distances = found.get(size) ?? [];
    found.set(size, distances);
    distances.push(row[0]!.base - before[0]!.base);
  }
  // The lower quartile: lines of a paragraph are closer than paragraphs.
  return new Map([...found].map(([size, distances]) => [size, quartile(distances)]));
}

const quartile = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0;

const sizeOf = (row: Row) => most(row, ({ size }) => size);

function isApart(before: Row, row: Row, usual: Map<number, number>): boolean {
  const [a, b] = [sizeOf(before), sizeOf(row)];
  if (Math.max(a, b) > OTHER_SIZE * Math.min(a, b)) return true;
  const distance = row[0]!.base - before[0]!.base;
  const expected = Math.min(Math.max(usual.get(Math.round(b)) ?? 0, 1.1 * b), 2.6 * b);
  return distance > LARGER_DISTANCE * expected;
}

function joinLines(block: Row[], isColumnOfProse: boolean, columnRight: number): string {
  const ownRight = most(block, endOf);
  const isWrapped = wrappedTest(block, isColumnOfProse, block.length > 2 ? ownRight : columnRight);
  let text = '';
  for (const [at, row] of block.entries()) {
    if (at > 0) text += isWrapped(at) ? WRAP : '\n';
    text += rowText(row);
  }
  return text;
}

/** Returns a function that tells whether a row goes on with the paragraph of the row before. */
function wrappedTest(block: Row[], isColumnOfProse: boolean, right: number): (at: number) => boolean {
  const isFull = (at: number) =>
    !hasRoomFor(block[at]!, block[at - 1]!, right) ||
    goesOn(block[at - 1]!, block[at]!, right, isColumnOfProse);
  const later = block.slice(1).map((_, at) => at + 1);
  const full = later.filter(isFull);
  const lengths = later.map((at) => rowText(block[at - 1]!).length);
  const isText =
    goOnSmall(full.map((at) => rowText(block[at]!))) &&
    ((isColumnOfProse && full.length >= later.length / 3) ||
      (full.length >= later.length * 0.6 && median(lengths) >= MIN_CHARACTERS));
  const left = median(block.map(startOf));
  return (at) => {
    const [before, row] = [block[at - 1]!, block[at]!];
    if (!isText || areCells(row) || areCells(before) || ITEM.test(rowText(row)) || !isFull(at)) return false;
    // An indented first line begins a paragraph; the lines of an item are indented more than its sign.
    const indent = startOf(row) - left;
    const isIndented = indent > 0.8 * sizeOf(row) && startOf(row) - startOf(before) > 0.8 * sizeOf(row);
    return !isIndented || ITEM.test(rowText(before));
  };
}

/** True if a long line ends within a sentence. Authors end some lines of a paragraph early. */
function goesOn(before: Row, row: Row, right: number, isColumnOfProse: boolean): boolean {
  const isLong = endOf(before) - startOf(before) > LONG_SHARE * (right - startOf(before));
  const [text, next] = [rowText(before), rowText(row)];
  return isLong && (isColumnOfProse || text.length > 40) && /[\p{Ll},]$/u.test(text) && /^\p{Ll}/u.test(next);
}

/** True if enough lines begin with a small letter: lines of a list begin with capitals or digits. */
function goOnSmall(lines: string[]): boolean {
  const cased = lines.filter((line) => /^[^\p{L}\p{N}]*[\p{Lu}\p{Ll}\p{N}]/u.test(line));
  return cased.filter((line) => /^[^\p{L}\p{N}]*\p{Ll}/u.test(line)).length >= SMALL_SHARE * cased.length;
}

/** True if a row has the value of a field, or wide gaps, as between a name and its value. */
const areCells = (row: Row) =>
  row.some(
    ({ left, size, isValue }, at) => isValue || (at > 0 && left - row[at - 1]!.right > CELL_GAP * size),
  );
