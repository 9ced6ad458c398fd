import type { PageItem } from './page-items.js';

/**
 * A run of text in the reading frame of its direction: x grows along the lines, y from line to line. If most text runs from
 * right to left, x grows to the left.
 */
export interface Run {
  text: string;
  left: number;
  right: number;
  /** Position of the baseline. */
  base: number;
  /** Height of the font. */
  size: number;
  /** Position in the file's order. */
  order: number;
  font: string;
  /** True if its writing runs against the frame's direction, as English in a Hebrew text. */
  isReversed: boolean;
  /** True for the value of a form field. */
  isValue: boolean;
}

/** Directions that differ by fewer degrees from a right angle are those of a page that was scanned askew. */
const MAX_SKEW = 12;
/** Runs of the same text that are closer than this share of their height are one run, printed twice to look bold. */
const SAME_PLACE = 0.25;
const SMALLEST = 0.5;

/**
 * Divides the runs of a page by their direction, and turns each group so that its lines are horizontal. The group with the
 * most text comes first. Text at other angles, such as a watermark, is a group for each angle.
 */
export function toFrames(items: readonly PageItem[]): Run[][] {
  const groups = new Map<number, { item: PageItem; order: number }[]>();
  for (const [order, item] of items.entries()) {
    const angle = ((item.angle % 360) + 360) % 360;
    const right = Math.round(angle / 90) * 90;
    const key = (Math.abs(angle - right) <= MAX_SKEW ? right : Math.round(angle)) % 360;
    const group = groups.get(key);
    if (group) group.push({ item, order });
    else groups.set(key, [{ item, order }]);
  }
  return [...groups.values()]
    .map((group) => ({ group, length: group.reduce((sum, { item }) => sum + item.text.length, 0) }))
    .sort((a, b) => b.length - a.length)
    .map(({ group }) => withoutDoubles(mirror(turn(group))));
}

function turn(group: readonly { item: PageItem; order: number }[]): Run[] {
  const radians = (medianAngle(group.map(({ item }) => item)) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return group.map(({ item, order }) => {
    const left = item.x * cos + item.y * sin;
    return {
      text: item.text,
      left,
      right: left + Math.max(item.width, SMALLEST),
      base: item.y * cos - item.x * sin,
      size: item.height > SMALLEST ? item.height : Math.max(SMALLEST, (2 * item.width) / item.text.length),
      order,
      font: item.font ?? '',
      isReversed: item.isRightToLeft === true,
      isValue: item.source === 'field',
    };
  });
}

/** Turns the frame's direction if most text runs from right to left. */
function mirror(runs: Run[]): Run[] {
  const lettersOf = ({ text }: Run) => text.match(/\p{L}/gu)?.length ?? 0;
  const balance = runs.reduce((sum, run) => sum + (run.isReversed ? -1 : 1) * lettersOf(run), 0);
  if (balance >= 0) return runs;
  return runs.map((run) => ({ ...run, left: -run.right, right: -run.left, isReversed: !run.isReversed }));
}

function medianAngle(items: readonly PageItem[]): number {
  const angles = items.map(({ angle }) => ((angle % 360) + 360) % 360);
  const first = angles[0] ?? 0;
  // Angles just below 360 are near those just above 0.
  const near = angles.map((angle) => angle - 360 * Math.round((angle - first) / 360)).sort((a, b) => a - b);
  return near[Math.floor(near.length / 2)] ?? 0;
}

function withoutDoubles(runs: Run[]): Run[] {
  const seen = new Map<string, Run[]>();
  return runs.filter((run) => {
    const key = `${run.text.trim()} ${Math.round(run.size)}`;
    const others = seen.get(key) ?? [];
    const within = SAME_PLACE * run.size;
    const isDouble = others.some(
      ({ left, base }) => Math.abs(left - run.left) < within && Math.abs(base - run.base) < within,
    );
    // Only the latest few are compared, since a double follows its original soon.
    if (!isDouble) seen.set(key, [...others.slice(-7), run]);
    return !isDouble;
  });
}
