/** A piece of text on a page, in points from the page's lower left corner. */
export interface TextItem {
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Segment {
  left: number;
  right: number;
  y: number;
  characters: number;
}

/** A gap of this many line heights ends a segment. Spaces within a sentence are narrower. */
const GAP_HEIGHTS = 1.2;
/** The minimum width of the gutter, the empty strip between two columns, in points. */
const GUTTER = 8;
/** The minimum lines of a column, and its minimum share of the page's characters. */
const MIN_LINES = 5;
const MIN_SHARE = 0.12;
/** The share of segments that may cross the gutter, such as a name and contact data above two columns. */
const MAX_CROSSING = 0.3;
/** The minimum share of a column's lines that begin at its left edge. Dates at a right margin begin anywhere. */
const ALIGNED_SHARE = 0.5;
const ALIGNED_WITHIN = 4;
/** A page with more segments is not a resume, and may be crafted to take long. */
const MAX_SEGMENTS = 2_000;
/** Rows of a table switch sides in the file's order, whereas the lines of a column follow each other. */
const MAX_SWITCHES = 0.5;

/** Whether a page's text is in columns, across which programs may read. */
export function isInColumns(items: readonly TextItem[]): boolean {
  const segments = toSegments(items.filter(({ text }) => text.trim() !== ''));
  if (segments.length > MAX_SEGMENTS) return false;
  const left = Math.min(...segments.map((segment) => segment.left));
  const right = Math.max(...segments.map((segment) => segment.right));
  // A gutter begins where segments end, so each end is tried.
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

/** Whether two columns are side by side rather than one below the other. */
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
    // An edge between two steps counts as both.
    for (const step of new Set([Math.floor(left / ALIGNED_WITHIN), Math.round(left / ALIGNED_WITHIN)])) {
      counts.set(step, (counts.get(step) ?? 0) + 1);
    }
  }
  return Math.max(...counts.values()) >= ALIGNED_SHARE * segments.length;
}

/** The number of switches between the sides of the gutter, per line of the shorter side. */
function sideSwitches(segments: readonly Segment[], at: number): number {
  const sides = segments
    .filter(({ left, right }) => right <= at + 1 || left >= at + GUTTER)
    .map(({ left }) => left >= at + GUTTER);
  const count = sides.filter((side, k) => k > 0 && side !== sides[k - 1]).length;
  const after = sides.filter(Boolean).length;
  return count / Math.min(after, sides.length - after);
}

function toSegments(items: readonly TextItem[]): Segment[] {
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
