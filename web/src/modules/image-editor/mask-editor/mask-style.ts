import type { MaskPixels } from './brush';
import type { Rect } from './rect';
import type { View } from './view';

export type MaskStyle = 'red' | 'checkerboard' | 'black-and-white';

/** Meaning of the masked area: the tool removes or keeps it. */
export type MaskPurpose = 'remove' | 'keep';

/** The overlay's RGBA colour for each mask value from 0 to 255, on even and odd squares of the checkerboard. */
export interface Palette {
  readonly even: Uint32Array;
  readonly odd: Uint32Array;
}

const RED = [232, 80, 47] as const;
const RED_STRENGTH = 0.6;
/** Side of a checkerboard square in screen pixels. */
const SQUARE = 10;

const rgba = (red: number, green: number, blue: number, alpha: number) =>
  ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;

/** @param squares grey values of the checkerboard's even and odd squares, 0 to 255 */
export function paletteOf(
  look: MaskStyle,
  purpose: MaskPurpose,
  squares: readonly [number, number],
): Palette {
  const even = new Uint32Array(256);
  const odd = new Uint32Array(256);
  for (let value = 0; value < 256; value += 1) {
    const removed = purpose === 'remove' ? value : 255 - value;
    switch (look) {
      case 'red':
        even[value] = odd[value] = rgba(...RED, Math.round(removed * RED_STRENGTH));
        break;
      case 'checkerboard':
        even[value] = rgba(squares[0], squares[0], squares[0], removed);
        odd[value] = rgba(squares[1], squares[1], squares[1], removed);
        break;
      case 'black-and-white':
        even[value] = odd[value] = rgba(value, value, value, 255);
    }
  }
  return { even, odd };
}

/**
 * Draws the mask inside `rect`, a part of the pane in screen pixels, into `out`. If the image is scaled down, each screen
 * pixel is the mean of four samples.
 */
export function drawMask(mask: MaskPixels, view: View, rect: Rect, { even, odd }: Palette, out: Uint32Array) {
  const { width, height, pixels } = mask;
  const columns = rect.right - rect.left;
  const spread = view.scale < 1 ? 0.25 : 0;
  /** @returns the mask's row or column at a screen position; -1 outside the image */
  const sample = (place: number, origin: number, offset: number, end: number) => {
    const middle = (place + 0.5 - origin) / view.scale;
    if (middle < 0 || middle >= end) return -1;
    return Math.min(end - 1, Math.max(0, Math.floor(middle + offset / view.scale)));
  };
  const left = new Int32Array(columns);
  const right = new Int32Array(columns);
  for (let i = 0; i < columns; i += 1) {
    left[i] = sample(rect.left + i, view.x, -spread, width);
    right[i] = sample(rect.left + i, view.x, spread, width);
  }
  for (let y = rect.top, at = 0; y < rect.bottom; y += 1) {
    const upper = sample(y, view.y, -spread, height) * width;
    const lower = sample(y, view.y, spread, height) * width;
    if (upper < 0) {
      at += columns;
      continue;
    }
    const squareRow = Math.floor(y / SQUARE);
    for (let i = 0; i < columns; i += 1, at += 1) {
      const from = left[i] ?? -1;
      const to = right[i] ?? -1;
      if (from < 0) continue;
      const value =
        spread === 0
          ? (pixels[upper + from] ?? 0)
          : ((pixels[upper + from] ?? 0) +
              (pixels[upper + to] ?? 0) +
              (pixels[lower + from] ?? 0) +
              (pixels[lower + to] ?? 0) +
              2) >>
            2;
      const isEven = ((Math.floor((rect.left + i) / SQUARE) + squareRow) & 1) === 0;
      out[at] = (isEven ? even[value] : odd[value]) ?? 0;
    }
  }
}
