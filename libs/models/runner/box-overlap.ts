import type { DetectedObject } from './messages.js';

type Box = DetectedObject['box'];

/** The intersection of two boxes over their union, 0 to 1. */
export function overlapOf(a: Box, b: Box): number {
  const width = Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left));
  const height = Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const area = ({ left, top, right, bottom }: Box) => (right - left) * (bottom - top);
  return (width * height) / (area(a) + area(b) - width * height);
}
