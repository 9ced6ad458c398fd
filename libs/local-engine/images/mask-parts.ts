import { cv, withFreedMemory } from './open-cv.js';
import type { GrayImage } from './raster.js';
import type { Area } from './area.js';

/** The mask is divided into at most this many cells a side. */
const GRID = 256;
/** More parts than this are treated as one. */
const MAX_PARTS = 12;
/** Parts nearer than this share of the larger one's side become one, because each is filled with its surroundings. */
const NEAR = 0.3;

/** The boxes of the separate parts of a mask. Each is filled on its own, at a size that keeps detail. */
export function maskParts(mask: GrayImage): Area[] {
  const cell = Math.max(1, Math.ceil(Math.max(mask.width, mask.height) / GRID));
  const parts = merge(connectedCells(mask, cell));
  const boxes = parts.length > MAX_PARTS ? [parts.reduce(union)] : parts;
  return boxes.map(({ left, top, right, bottom }) => ({
    left: left * cell,
    top: top * cell,
    width: Math.min(mask.width, right * cell) - left * cell,
    height: Math.min(mask.height, bottom * cell) - top * cell,
  }));
}

/** A box in cells; right and bottom are exclusive. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The bounding boxes of connected painted cells, also over corners. */
const connectedCells = ({ values, width, height }: GrayImage, cell: number): Box[] =>
  withFreedMemory((track) => {
    const columns = Math.ceil(width / cell);
    const cells = track(cv.Mat.zeros(Math.ceil(height / cell), columns, cv.CV_8UC1));
    const painted = cells.data;
    for (let y = 0, i = 0; y < height; y += 1) {
      const row = Math.floor(y / cell) * columns;
      for (let x = 0; x < width; x += 1, i += 1) if (values[i] !== 0) painted[row + Math.floor(x / cell)] = 1;
    }
    const [labels, stats, centres] = [track(new cv.Mat()), track(new cv.Mat()), track(new cv.Mat())];
    cv.connectedComponentsWithStats(cells, labels, stats, centres);
    // The background has the label 0. Parts are in the order of their first cells.
    return Array.from(new Set(labels.data32S.filter((label) => label > 0)), (label) => {
      const [left = 0, top = 0, wide = 0, high = 0] = stats.data32S.subarray(label * stats.cols);
      return { left, top, right: left + wide, bottom: top + high };
    });
  });

function merge(boxes: Box[]): Box[] {
  const merged: Box[] = [];
  for (let next = boxes.pop(); next; next = boxes.pop()) {
    const box = next;
    const near = merged.findIndex((other) => isNear(box, other));
    // The union may be near to other boxes.
    if (near < 0) merged.push(box);
    else boxes.push(union(box, merged.splice(near, 1)[0] as Box));
  }
  return merged;
}

function isNear(a: Box, b: Box): boolean {
  const side = ({ left, top, right, bottom }: Box) => Math.max(right - left, bottom - top);
  const apart = Math.max(a.left - b.right, b.left - a.right, a.top - b.bottom, b.top - a.bottom);
  return apart <= Math.max(1, NEAR * Math.max(side(a), side(b)));
}

const union = (a: Box, b: Box): Box => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});
