import { least, most, type Row, type Segment } from './segments.js';

/** An empty vertical strip between two columns of some consecutive rows. */
export interface Gutter {
  left: number;
  right: number;
  /** Indexes of the first row, and of the row after the last one. */
  from: number;
  to: number;
}

/** Only so many strips of a region, or edges of a table, are examined. */
const MAX_CANDIDATES = 24;
const MAX_EDGES = 64;
/** A strip must have at least this many rows more on both of its sides than in it. */
const PROMINENCE = 2;
/** Least width of a gutter as a share of the font's height. */
const NARROWEST = 0.6;
/** A wider gap, in heights of the font, is not a space between words of justified text. */
const WIDEST_SPACE = 2;
const MIN_ROWS = 2;
/** A larger distance of two rows, in heights of their font, sets them apart. */
const FAR_APART = 2.2;
const MAX_BINS = 4_000;

/** Finds the gutter that divides a region best: the one along most rows, and the wider of two. */
export function findGutter(rows: readonly Row[]): Gutter | null {
  let best: Gutter | null = null;
  let bestScore = 0;
  for (const x of emptiestPositions(rows.flat(), MAX_CANDIDATES)) {
    for (const gutter of guttersAt(x, rows)) {
      const size = rows[gutter.from]?.[0]?.size ?? 1;
      const score = (gutter.to - gutter.from) * Math.min(2, (gutter.right - gutter.left) / size);
      if (score > bestScore) [best, bestScore] = [gutter, score];
    }
  }
  return best;
}

/** Positions where fewer segments are than on both sides, the clearest first. */
function emptiestPositions(segments: readonly Segment[], limit: number): number[] {
  const { counts, position } = coverage(segments);
  const highestBefore = new Int32Array(counts.length);
  for (let at = 1; at < counts.length; at += 1) {
    highestBefore[at] = Math.max(highestBefore[at - 1]!, counts[at - 1]!);
  }
  const found: { x: number; depth: number }[] = [];
  let highestAfter = 0;
  let at = counts.length - 1;
  while (at > 0) {
    let start = at;
    while (start > 0 && counts[start - 1] === counts[at]) start -= 1;
    const isLowest = (counts[start - 1] ?? 0) > counts[at]! && (counts[at + 1] ?? 0) > counts[at]!;
    const depth = Math.min(highestBefore[start]!, highestAfter) - counts[at]!;
    if (isLowest && depth >= PROMINENCE) found.push({ x: position((start + at + 1) / 2), depth });
    for (let bin = start; bin <= at; bin += 1) highestAfter = Math.max(highestAfter, counts[bin]!);
    at = start - 1;
  }
  return found
    .sort((a, b) => b.depth - a.depth)
    .slice(0, limit)
    .map(({ x }) => x);
}

/** The number of segments at each position across. */
function coverage(segments: readonly Segment[]) {
  const left = least(segments, (segment) => segment.left);
  const width = Math.max(1, most(segments, ({ right }) => right) - left);
  const bins = Math.min(MAX_BINS, Math.ceil(width));
  const binOf = (x: number) => Math.min(bins - 1, Math.floor(((x - left) / width) * bins));
  const counts = new Int32Array(bins + 1);
  for (const segment of segments) {
    counts[binOf(segment.left)]! += 1;
    counts[binOf(segment.right) + 1]! -= 1;
  }
  for (let at = 1; at < counts.length; at += 1) counts[at]! += counts[at - 1]!;
  return { counts: counts.subarray(0, bins), position: (bin: number) => left + (bin / bins) * width };
}

/** The parts of the rows that no segment crosses at `x`, with text on both sides. */
function guttersAt(x: number, rows: readonly Row[]): Gutter[] {
  const found: Gutter[] = [];
  let from = 0;
  const close = (to: number) => {
    const gutter = toGutter(x, rows, from, to);
    if (gutter) found.push(gutter);
  };
  for (const [at, row] of rows.entries()) {
    if (!row.some(({ left, right }) => left < x && right > x)) continue;
    close(at);
    from = at + 1;
  }
  close(rows.length);
  return found;
}

function toGutter(x: number, rows: readonly Row[], first: number, end: number): Gutter | null {
  const hasLeft = (row: Row) => row.some(({ right }) => right <= x);
  const hasRight = (row: Row) => row.some(({ left }) => left >= x);
  const { from, to } = withoutSeparateRows(rows, first, end, hasLeft, hasRight);
  const band = rows.slice(from, to);
  const [lefts, rights] = [band.filter(hasLeft), band.filter(hasRight)];
  if (lefts.length < MIN_ROWS || rights.length < MIN_ROWS) return null;
  if (!areSideBySide(lefts, rights)) return null;
  const segments = band.flat();
  const left = most(
    segments.filter(({ right }) => right <= x),
    (segment) => segment.right,
  );
  const right = least(
    segments.filter((segment) => segment.left >= x),
    (segment) => segment.left,
  );
  const size = least(segments, (segment) => segment.size);
  return right - left >= NARROWEST * size ? { left, right, from, to } : null;
}

/** Leaves out rows at the top and bottom that have text on one side only and are set apart, and rows on the right at the top. */
function withoutSeparateRows(
  rows: readonly Row[],
  first: number,
  end: number,
  hasLeft: (row: Row) => boolean,
  hasRight: (row: Row) => boolean,
): { from: number; to: number } {
  const isApart = (at: number) =>
    rows[at]![0]!.base - rows[at - 1]![0]!.base >
    FAR_APART * Math.max(rows[at]![0]!.size, rows[at - 1]![0]!.size);
  let from = first;
  while (from < end && !hasLeft(rows[from]!)) from += 1;
  for (let at = from; at < end && !(hasLeft(rows[at]!) && hasRight(rows[at]!)); at += 1) {
    if (at > from && isApart(at)) from = at;
  }
  let to = end;
  for (let at = end - 1; at > from && !(hasLeft(rows[at]!) && hasRight(rows[at]!)); at -= 1) {
    if (isApart(at)) to = at;
  }
  return { from, to };
}

function areSideBySide(lefts: readonly Row[], rights: readonly Row[]): boolean {
  const top = (rows: readonly Row[]) => rows[0]?.[0]?.base ?? 0;
  const bottom = (rows: readonly Row[]) => rows.at(-1)?.[0]?.base ?? 0;
  const shared = Math.min(bottom(lefts), bottom(rights)) - Math.max(top(lefts), top(rights));
  return shared > 0 && shared >= 0.4 * Math.min(bottom(lefts) - top(lefts), bottom(rights) - top(rights));
}

/** The edges between the columns of a table: strips that nearly no row crosses. */
export function columnEdges(rows: readonly Row[]): number[] {
  const segments = rows.flat();
  return emptiestPositions(segments, MAX_EDGES)
    .filter((x) => {
      const crossing = segments.filter(({ left, right }) => left < x && right > x).length;
      return crossing <= 0.2 * rows.length && isEdge(x, rows);
    })
    .sort((a, b) => a - b);
}

/** False if the strip is only that of wide spaces between the words of some cells. */
function isEdge(x: number, rows: readonly Row[]): boolean {
  let spaces = 0;
  for (const row of rows) {
    const before = row.findLast(({ right }) => right <= x);
    const after = row.find(({ left }) => left >= x);
    if (!before || !after) continue;
    const gap = (after.left - before.right) / Math.max(before.size, after.size);
    if (gap >= WIDEST_SPACE || /^\p{N}|\p{N}$/u.test(before.text) || /^\p{N}/u.test(after.text)) return true;
    spaces += 1;
  }
  return spaces === 0 || spaces > Math.max(2, rows.length / 2);
}
