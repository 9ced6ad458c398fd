import type { Size } from '../../../shared/lib/picture';
import { pixelsIn, type Point, type Rect } from './rect';

export interface Brush {
  /** Radius in pixels of the mask. */
  readonly radius: number;
  /** Fraction of the radius that has full strength, from 0 to 1. */
  readonly hardness: number;
  /** True if the brush adds to the mask, false if it erases. */
  readonly adds: boolean;
}

/** A mask with one byte per pixel, row by row: 255 is inside the mask, 0 outside, values between are soft edges. */
export interface MaskPixels extends Size {
  readonly pixels: Uint8Array;
}

/** Bounds of the pixels that a straight stroke can change. */
export function segmentRect(from: Point, to: Point, { radius }: Brush, size: Size): Rect {
  const reach = radius + 0.5;
  return pixelsIn(
    {
      left: Math.min(from.x, to.x) - reach,
      top: Math.min(from.y, to.y) - reach,
      right: Math.max(from.x, to.x) + reach,
      bottom: Math.max(from.y, to.y) + reach,
    },
    size,
  );
}

/**
 * Paints along a line. A pixel gets the maximum of its value and the brush's strength, not the sum, so that overlapping
 * segments of a stroke show no seam.
 */
export function paintSegment(mask: MaskPixels, from: Point, to: Point, brush: Brush): void {
  const { width, pixels } = mask;
  const { top, bottom } = segmentRect(from, to, brush, mask);
  const outer = brush.radius + 0.5;
  const inner = Math.max(0, brush.radius * brush.hardness - 0.5);
  const strengths = strengthsBetween(inner, outer);
  const scale = (strengths.length - 1) / (outer * outer - inner * inner);
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length2 = dx * dx + dy * dy;

  const paintRim = (y: number, start: number, end: number) => {
    const fromY = y + 0.5 - from.y;
    for (let x = start; x < end; x += 1) {
      const at = y * width + x;
      const before = pixels[at] ?? 0;
      if (before === (brush.adds ? 255 : 0)) continue;
      const fromX = x + 0.5 - from.x;
      const along = length2 === 0 ? 0 : (fromX * dx + fromY * dy) / length2;
      const nearest = along < 0 ? 0 : along > 1 ? 1 : along;
      const offX = fromX - nearest * dx;
      const offY = fromY - nearest * dy;
      const place = (offX * offX + offY * offY - inner * inner) * scale;
      const strength = strengths[place < 0 ? 0 : place | 0] ?? 0;
      if (brush.adds) {
        if (strength > before) pixels[at] = strength;
      } else if (255 - strength < before) pixels[at] = 255 - strength;
    }
  };

  for (let y = top; y < bottom; y += 1) {
    const rim = rowOf(y, from, to, outer, width);
    if (rim === null) continue;
    const core = rowOf(y, from, to, inner, width);
    if (core === null) {
      paintRim(y, ...rim);
      continue;
    }
    paintRim(y, rim[0], core[0]);
    pixels.fill(brush.adds ? 255 : 0, y * width + core[0], y * width + core[1]);
    paintRim(y, core[1], rim[1]);
  }
}

export function fillRect({ width, pixels }: MaskPixels, { left, top, right, bottom }: Rect, value: number) {
  for (let y = top; y < bottom; y += 1) pixels.fill(value, y * width + left, y * width + right);
}

/**
 * @returns start and end (exclusive) of the row's pixels whose centers are within a distance of the line; null if none are
 */
function rowOf(
  row: number,
  from: Point,
  to: Point,
  distance: number,
  width: number,
): [number, number] | null {
  const y = row + 0.5;
  let left = Infinity;
  let right = -Infinity;
  const include = (x: number) => {
    left = Math.min(left, x);
    right = Math.max(right, x);
  };
  // All points within the distance form two circles, one at each end of the line, and the strip between the circles.
  for (const end of [from, to]) {
    const height2 = distance * distance - (y - end.y) * (y - end.y);
    if (height2 < 0) continue;
    include(end.x - Math.sqrt(height2));
    include(end.x + Math.sqrt(height2));
  }
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (to.y !== from.y) {
    const sideX = (-(to.y - from.y) / length) * distance;
    const sideY = ((to.x - from.x) / length) * distance;
    for (const side of [1, -1]) {
      const part = (y - from.y - side * sideY) / (to.y - from.y);
      if (part >= 0 && part <= 1) include(from.x + side * sideX + part * (to.x - from.x));
    }
  }
  const start = Math.max(0, Math.ceil(left - 0.5));
  const end = Math.min(width, Math.floor(right - 0.5) + 1);
  return end > start ? [start, end] : null;
}

const STRENGTHS = 1024;
let cached = { inner: -1, outer: -1, strengths: new Uint8Array(STRENGTHS) };

/**
 * The brush's strength at squared distances from `inner`² to `outer`², evenly spaced. Cached, since a stroke has many
 * segments.
 */
function strengthsBetween(inner: number, outer: number): Uint8Array {
  if (cached.inner === inner && cached.outer === outer) return cached.strengths;
  const strengths = new Uint8Array(STRENGTHS);
  for (let i = 0; i < STRENGTHS; i += 1) {
    const distance = Math.sqrt(inner * inner + (i / (STRENGTHS - 1)) * (outer * outer - inner * inner));
    const part = (outer - distance) / (outer - inner);
    // Smoothstep: 3p² − 2p³, so that the edge has no visible ring.
    strengths[i] = Math.round(255 * part * part * (3 - 2 * part));
  }
  cached = { inner, outer, strengths };
  return strengths;
}
