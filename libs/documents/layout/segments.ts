import type { Run } from './frames.js';

/**
 * A part of a line without a wide gap: one or more runs. It has the order of its first run, and is a value if one of them is.
 */
export type Segment = Run;

/** Segments on one baseline, from left to right. */
export type Row = Segment[];

/** Runs belong to one row if their baselines differ by at most this share of the font's height, as superscripts do. */
const SAME_ROW = 0.45;
/** A wider gap, as a share of the font's height, divides segments. */
const WIDE_GAP = 0.65;
/** The same after the sign or number of a list's item. */
const MARKER_GAP = 5;
const MARKER = /^(?:[•·▪‣◦●○■□✓➢❖\uf0b7\uf0a7–—*-]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)])$/u;
/** The same between numbers, which are in columns of a table. */
const NUMBERS_GAP = 0.4;
const DIGITS = /^[^\p{L}]*\d[^\p{L}]*$/u;
/** A gap wider than this share of the font's height is a space. */
const SPACE = 0.1;

/** Joins the runs that stand next to each other. */
export function toSegments(runs: readonly Run[]): Segment[] {
  return toRows(runs).flatMap((row) => {
    const groups: Run[][] = [];
    for (const run of row) {
      const group = groups.at(-1);
      const before = group?.at(-1);
      const size = Math.max(before?.size ?? 0, run.size);
      if (group && before && run.left - before.right < widestGap(before, run, group.length === 1) * size)
        group.push(run);
      else groups.push([run]);
    }
    return groups.map(toSegment);
  });
}

function widestGap(before: Run, run: Run, isFirst: boolean): number {
  if (isFirst && MARKER.test(before.text.trim()) && /\p{L}{2}/u.test(run.text)) return MARKER_GAP;
  return DIGITS.test(before.text) && DIGITS.test(run.text) ? NUMBERS_GAP : WIDE_GAP;
}

/** Groups boxes by their baselines, from top to bottom. */
export function toRows<Box extends { left: number; base: number; size: number }>(
  boxes: readonly Box[],
): Box[][] {
  const rows: Box[][] = [];
  let base = -Infinity;
  let size = 0;
  for (const box of boxes.toSorted((a, b) => a.base - b.base || a.left - b.left)) {
    const compared = Math.min(Math.max(size, box.size), 1.6 * Math.min(size, box.size));
    if (box.base - base <= SAME_ROW * compared) {
      rows.at(-1)!.push(box);
      // The largest text of a row has its baseline.
      if (box.size > 1.1 * size) ({ base, size } = box);
    } else {
      rows.push([box]);
      ({ base, size } = box);
    }
  }
  return rows.map((row) => row.sort((a, b) => a.left - b.left));
}

function toSegment(runs: readonly Run[]): Segment {
  const largest = runs.reduce((a, b) => (b.size * b.text.length > a.size * a.text.length ? b : a));
  let text = '';
  let before: Run | undefined;
  for (const run of inReadingOrder(runs)) {
    if (before && !text.endsWith(' ')) {
      const gap = Math.max(run.left - before.right, before.left - run.right);
      if (gap > SPACE * Math.max(before.size, run.size)) text += ' ';
    }
    text += run.text;
    before = run;
  }
  return {
    text: text.trim(),
    left: least(runs, ({ left }) => left),
    right: most(runs, ({ right }) => right),
    base: largest.base,
    size: largest.size,
    order: least(runs, ({ order }) => order),
    font: largest.font,
    isReversed: runs.every(({ isReversed }) => isReversed),
    isValue: runs.some(({ isValue }) => isValue),
  };
}

/** The text of a row in reading order. */
export const rowText = (row: Row) =>
  inReadingOrder(row)
    .map(({ text }) => text)
    .join(' ');

/** In the frame's direction, but what runs against it, such as an English name in Hebrew, in its own direction. */
function inReadingOrder<Box extends { isReversed: boolean }>(boxes: readonly Box[]): Box[] {
  const ordered: Box[] = [];
  let reversed: Box[] = [];
  for (const box of boxes) {
    if (box.isReversed) reversed.push(box);
    else {
      ordered.push(...reversed.toReversed(), box);
      reversed = [];
    }
  }
  return [...ordered, ...reversed.toReversed()];
}

/** The least value; without the limit of `Math.min` on the number of its arguments. */
export const least = <T>(values: readonly T[], of: (value: T) => number): number =>
  values.reduce((found, value) => Math.min(found, of(value)), Infinity);

export const most = <T>(values: readonly T[], of: (value: T) => number): number =>
  -least(values, (value) => -of(value));

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
