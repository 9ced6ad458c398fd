import type { DetectedObject } from './messages.js';

type Box = DetectedObject['box'];

/** The intersection of two boxes over their union, 0 to 1. */
export function overlapOf(a: Box, b: Box): number {
  const width = Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left));
  const height = Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const area = ({ left, top, right, bottom }: Box) => (right - left) * (bottom - top);
  return (width * height) / (area(a) + area(b) - width * height);
}

/** When two boxes have a larger overlap, only the one with the higher score is used. */
const MAX_OVERLAP = 0.5;

/** The objects by score. An object whose box overlaps that of a better one is left out, if `isComparable`. */
export function withoutOverlaps(
  found: DetectedObject[],
  isComparable: (one: DetectedObject, other: DetectedObject) => boolean = () => true,
): DetectedObject[] {
  const selected: DetectedObject[] = [];
  for (const one of found.toSorted((a, b) => b.score - a.score)) {
    const isDuplicate = (other: DetectedObject) =>
      isComparable(one, other) && overlapOf(other.box, one.box) > MAX_OVERLAP;
    if (!selected.some(isDuplicate)) selected.push(one);
  }
  return selected;
}

/** The distance of a point from the middle of a box, in halves of the box's size. */
export const distanceFromMiddle = ({ left, top, right, bottom }: Box, x: number, y: number): number =>
  Math.max(
    Math.abs(2 * x - left - right) / Math.max(right - left, 1e-6),
    Math.abs(2 * y - top - bottom) / Math.max(bottom - top, 1e-6),
  );
