import type { GrayImage } from './raster.js';
import type { Area } from './subject-mask.js';

/** The mask is divided into at most this many cells a side. */
const GRID = 256;
/** More parts than this are treated as one. */
const MAX_PARTS = 12;
/** Parts nearer than this share of the larger one's side become one, because each is filled with its surroundings. */
const NEAR = 0.3;

/** The boxes of the separate parts of a mask. Each is filled on its own, at a size that keeps detail. */
export function maskParts(mask: GrayImage): Area[] {
  const cell = Math.max(1, Math.ceil(Math.max(mask.width, mask.height) / GRID));
  const parts = merge(connectedCells(paintedCells(mask, cell)));
  const boxes = parts.length > MAX_PARTS ? [parts.reduce(union)] : parts;
  return boxes.map(({ left, top, right, bottom }) => ({
    left: left * cell,
    top: top * cell,
    width: Math.min(mask.width, right * cell) - left * cell,
    height: Math.min(mask.height, bottom * cell) - top * cell,
  }));
}

interface Cells {
  painted: Uint8Array;
  columns: number;
  rows: number;
}

/** A box in cells; right and bottom are exclusive. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function paintedCells({ values, width, height }: GrayImage, cell: number): Cells {
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)];
  const painted = new Uint8Array(columns * rows);
  for (let y = 0, i = 0; y < height; y += 1) {
    const row = Math.floor(y / cell) * columns;
    for (let x = 0; x < width; x += 1, i += 1) if (values[i] !== 0) painted[row + Math.floor(x / cell)] = 1;
  }
  return { painted, columns, rows };
}

function connectedCells({ painted, columns, rows }: Cells): Box[] {
  const boxes: Box[] = [];
  for (let start = 0; start < painted.length; start += 1) {
    if (painted[start] === 0) continue;
    const box = { left: columns, top: rows, right: 0, bottom: 0 };
    const stack = [start];
    painted[start] = 0;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const [x, y] = [at % columns, Math.floor(at / columns)];
      box.left = Math.min(box.left, x);
      box.top = Math.min(box.top, y);
      box.right = Math.max(box.right, x + 1);
      box.bottom = Math.max(box.bottom, y + 1);
      for (let row = Math.max(0, y - 1); row <= Math.min(rows - 1, y + 1); row += 1) {
        for (let column = Math.max(0, x - 1); column <= Math.min(columns - 1, x + 1); column += 1) {
          const next = row * columns + column;
          if (painted[next] === 0) continue;
          painted[next] = 0;
          stack.push(next);
        }
      }
    }
    boxes.push(box);
  }
  return boxes;
}

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
