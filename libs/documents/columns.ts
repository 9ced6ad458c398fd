/** A piece of text on a page, in points from the page's lower left corner. */
export interface TextItem {
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Items of one line that stand beside each other. */
interface Segment {
  left: number;
  right: number;
  y: number;
  characters: number;
}

/** A gap of so many line heights ends a segment: no space within a sentence is as wide. */
const GAP_HEIGHTS = 1.2;
/** The least width of the empty strip between two columns, in points. */
const GUTTER = 8;
/** The least lines of a column, and its least share of the page's characters. */
const FEWEST_LINES = 5;
const LEAST_SHARE = 0.12;
/** So many lines may reach across the strip: a name and contact data above two columns, say. */
const MOST_ACROSS = 0.3;
/** The share of a column's lines that begin at its left edge. Dates at a right margin begin anywhere. */
const ALIGNED_SHARE = 0.5;
const ALIGNED_WITHIN = 4;
/** A page of so many pieces is no resume, and may be made to take long. */
const MOST_SEGMENTS = 2_000;
/** Rows of a table go from side to side in the file; a column's lines follow each other. */
const MOST_CHANGES = 0.5;

/** Whether a page's text stands in columns beside each other, so that programs may read across them. */
export function isInColumns(items: readonly TextItem[]): boolean {
  const segments = toSegments(items.filter(({ text }) => text.trim() !== ''));
  if (segments.length > MOST_SEGMENTS) return false;
  const left = Math.min(...segments.map((segment) => segment.left));
  const right = Math.max(...segments.map((segment) => segment.right));
  // The strip begins where segments end: each of those is tried.
  const ends = [...new Set(segments.map((segment) => Math.round(segment.right)))];
  return ends.some((at) => {
    const share = (at - left) / (right - left);
    return share > 0.15 && share < 0.85 && isGutter(at, segments);
  });
}

function isGutter(at: number, segments: readonly Segment[]): boolean {
  const before = segments.filter(({ right }) => right <= at + 1);
  const after = segments.filter(({ left }) => left >= at + GUTTER);
  const across = segments.length - before.length - after.length;
  if (before.length < FEWEST_LINES || after.length < FEWEST_LINES) return false;
  if (across > MOST_ACROSS * segments.length) return false;
  const all = characters(segments);
  if (characters(before) < LEAST_SHARE * all || characters(after) < LEAST_SHARE * all) return false;
  return stand(before, after) && isAligned(after) && changes(segments, at) <= MOST_CHANGES;
}

const characters = (segments: readonly Segment[]) =>
  segments.reduce((sum, segment) => sum + segment.characters, 0);

/** Whether two columns stand beside each other, and not one below the other. */
function stand(one: readonly Segment[], other: readonly Segment[]): boolean {
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
    // An edge between two steps counts for both.
    for (const step of new Set([Math.floor(left / ALIGNED_WITHIN), Math.round(left / ALIGNED_WITHIN)])) {
      counts.set(step, (counts.get(step) ?? 0) + 1);
    }
  }
  return Math.max(...counts.values()) >= ALIGNED_SHARE * segments.length;
}

/** How often the text goes from one side of the strip to the other, for each line of the shorter side. */
function changes(segments: readonly Segment[], at: number): number {
  const sides = segments
    .filter(({ left, right }) => right <= at + 1 || left >= at + GUTTER)
    .map(({ left }) => left >= at + GUTTER);
  const count = sides.filter((side, k) => k > 0 && side !== sides[k - 1]).length;
  const after = sides.filter(Boolean).length;
  return count / Math.min(after, sides.length - after);
}

/** Joins the items that follow each other on one line, in the order of the file. */
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
