import type { Size } from '../../../shared/lib/picture';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle in pixels; `right` and `bottom` are exclusive. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const wholeOf = ({ width, height }: Size): Rect => ({ left: 0, top: 0, right: width, bottom: height });

export const isEmpty = ({ left, top, right, bottom }: Rect) => right <= left || bottom <= top;

export function union(one: Rect | null, other: Rect): Rect {
  if (one === null || isEmpty(one)) return other;
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

/** Rounds a rectangle outwards to whole pixels and clips it to the image. */
export function pixelsIn({ left, top, right, bottom }: Rect, { width, height }: Size): Rect {
  return {
    left: Math.max(0, Math.floor(left)),
    top: Math.max(0, Math.floor(top)),
    right: Math.min(width, Math.ceil(right)),
    bottom: Math.min(height, Math.ceil(bottom)),
  };
}

export const rectBetween = (one: Point, other: Point): Rect => ({
  left: Math.min(one.x, other.x),
  top: Math.min(one.y, other.y),
  right: Math.max(one.x, other.x),
  bottom: Math.max(one.y, other.y),
});
