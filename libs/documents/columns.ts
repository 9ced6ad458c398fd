import type { PageItem, PageItems } from './layout/page-items.js';

/** Part of a line: text without wide gaps. */
interface Segment {
  left: number;
  right: number;
  y: number;
  characters: number;
}

/** A gap wider than this many line heights ends a segment. Spaces between words are narrower. */
const GAP_HEIGHTS = 1.2;
/** Minimum width in points of the gutter: the empty strip between two columns. */
const GUTTER = 8;
/** Minimum number of lines of a column, and minimum fraction of the page's characters in it. */
const MIN_LINES = 5;
const MIN_SHARE = 0.12;
/** Maximum fraction of segments that cross the gutter, for example a name above two columns. */
const MAX_CROSSING = 0.3;
/**
 * Minimum fraction of the right column's lines that begin at its left edge. Excludes right-aligned dates, which are no
 * column.
 */
const ALIGNED_SHARE = 0.5;
/** Points by which the beginnings of aligned lines may differ. */
const ALIGNED_WITHIN = 4;
/** Pages with more segments are skipped: they are not resumes, and may be crafted to take long. */
const MAX_SEGMENTS = 2_000;
/**
 * Maximum switches between left and right in the file's order, per line. Excludes tables, whose rows switch at each cell;
 * the lines of a column follow each other.
 */
const MAX_SWITCHES = 0.5;

/** True if a page's text is in columns. Programs that parse resumes may read across columns and mix up their lines. */
export function isInColumns({ items }: PageItems): boolean {
  const segments = toSegments(items.filter(({ angle, source = 'text' }) => angle === 0 && source === 'text'));
  if (segments.length > MAX_SEGMENTS) return false;
  const left = Math.min(...segments.map((segment) => segment.left));
  const right = Math.max(...segments.map((segment) => segment.right));
  // A gutter begins where segments end, so try the end of each segment.
  const ends = [...new Set(segments.map((segment) => Math.round(segment.right)))];
  return ends.some((at) => {
    const share = (at - left) / (right - left);
    return share > 0.15 && share < 0.85 && isGutter(at, segments);
  });
}

function isGutter(at: number, segments: readonly Segment[]): boolean {
  const before = segments.filter(({ right }) => right <= at + 1);
  const after = segments.filter(({ left }) => left >= at + GUTTER);
  const crossing = segments.length - before.length - after.length;
  if (before.length < MIN_LINES || after.length < MIN_LINES) return false;
  if (crossing > MAX_CROSSING * segments.length) return false;
  const all = characters(segments);
  if (characters(before) < MIN_SHARE * all || characters(after) < MIN_SHARE * all) return false;
  return areSideBySide(before, after) && isAligned(after) && sideSwitches(segments, at) <= MAX_SWITCHES;
}

const characters = (segments: readonly Segment[]) =>
  segments.reduce((sum, segment) => sum + segment.characters, 0);

/** True if two groups of segments are side by side rather than one below the other. */
function areSideBySide(one: readonly Segment[], other: readonly Segment[]): boolean {
  const [a, b] = [range(one), range(other)];
  const shared = Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom);
  return shared > 0.5 * Math.min(a.top - a.bottom, b.top - b.bottom);
}

const range = (segments: readonly Segment[]) => ({
  top: Math.max(...segments.map(({ y }) => y)),
  bottom: Math.min(...segments.map(({ y }) => y)),
});

function isAligned(segments: readonly Segment[]): boolean {
  const counts = new Map<number, number>();
  for (const { left } of segments) {
    // Counts an edge in two overlapping intervals, so that nearly equal edges are never split between intervals.
    for (const step of new Set([Math.floor(left / ALIGNED_WITHIN), Math.round(left / ALIGNED_WITHIN)])) {
      counts.set(step, (counts.get(step) ?? 0) + 1);
    }
  }
  return Math.max(...counts.values()) >= ALIGNED_SHARE * segments.length;
}

/** Number of switches between the sides of the gutter, divided by the number of lines on the side with fewer lines. */
function sideSwitches(segments: readonly Segment[], at: number): number {
  const sides = segments
    .filter(({ left, right }) => right <= at + 1 || left >= at + GUTTER)
    .map(({ left }) => left >= at + GUTTER);
  const count = sides.filter((side, k) => k > 0 && side !== sides[k - 1]).length;
  const after = sides.filter(Boolean).length;
  return count / Math.min(after, sides.length - after);
}

function toSegments(items: readonly PageItem[]): Segment[] {
  const segments: Segment[] = [];
  for (const { text, x, y, width, height: own } of items) {
    const last = segments.at(-1);
    const height = Math.max(own, 4);
    const follows =
      last !== undefined &&
      Math.abs(last.y - y) < height / 2 &&
      x >= last.left &&
      x - last.right < GAP_HEIGHTS * height;
    if (follows) {
      last.right = Math.max(last.right, x + width);
      last.characters += text.length;
    } else segments.push({ left: x, right: x + width, y, characters: text.length });
  }
  return segments;
}
