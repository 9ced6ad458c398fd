import type { RgbaImage } from './raster.js';

/** The transparency is judged on a grid of at most so many columns and rows. */
const GRID_SIDE = 256;
/** A pixel with a lower alpha is transparent. */
const MIN_ALPHA = 16;
/** With a smaller transparent share, a picture has specks or corners, but no cut-out. */
const MIN_SHARE = 0.01;
/** Up to this share, the transparency may be the rounded corners or the border of a picture. */
const MAX_FRAME_SHARE = 0.1;
/** The largest distance of a frame from the picture's edges, as a share of its side. */
const MAX_FRAME_INSET = 0.02;

/** How much of a picture is transparent. */
export interface OwnTransparency {
  /** The share of the pixels that are transparent, without single pixels. */
  share: number;
  /** True if the opaque part is a subject, not a whole picture with rounded corners or an empty border. */
  isCutOut: boolean;
}

/** Judges the transparency that a picture has before anything is cut out. */
export function ownTransparency(photo: RgbaImage): OwnTransparency {
  const grid = gridOf(photo);
  const share = transparentShare(grid);
  const isCutOut = share >= MAX_FRAME_SHARE || (share >= MIN_SHARE && !isFrame(grid));
  return { share, isCutOut };
}

interface Grid {
  width: number;
  height: number;
  opaque: (column: number, row: number) => boolean;
}

function gridOf({ pixels, width, height }: RgbaImage): Grid {
  const step = Math.max(1, Math.ceil(Math.max(width, height) / GRID_SIDE));
  return {
    width: Math.ceil(width / step),
    height: Math.ceil(height / step),
    opaque: (column, row) => (pixels[(row * step * width + column * step) * 4 + 3] as number) >= MIN_ALPHA,
  };
}

function transparentShare({ width, height, opaque }: Grid): number {
  const isTransparent = (x: number, y: number) =>
    x < 0 || y < 0 || x >= width || y >= height || !opaque(x, y);
  let count = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (opaque(x, y)) continue;
      const around = [
        isTransparent(x - 1, y),
        isTransparent(x + 1, y),
        isTransparent(x, y - 1),
        isTransparent(x, y + 1),
      ];
      if (around.filter(Boolean).length >= 3) count += 1;
    }
  }
  return count / (width * height);
}

/** True if the opaque part reaches to all four edges, has no gaps, and is the same when mirrored. */
function isFrame({ width, height, opaque }: Grid): boolean {
  const rows = Array.from({ length: height }, (_, y) => runOf(width, (x) => opaque(x, y)));
  const columns = Array.from({ length: width }, (_, x) => runOf(height, (y) => opaque(x, y)));
  return spansAll(rows, width) && spansAll(columns, height);
}

interface Run {
  first: number;
  last: number;
  hasGap: boolean;
}

/** The opaque cells of a row or column; null if there are none. */
function runOf(length: number, opaque: (i: number) => boolean): Run | null {
  let [first, last, count] = [-1, -1, 0];
  for (let i = 0; i < length; i += 1) {
    if (!opaque(i)) continue;
    if (first < 0) first = i;
    last = i;
    count += 1;
  }
  return count === 0 ? null : { first, last, hasGap: count < last - first + 1 };
}

function spansAll(runs: (Run | null)[], length: number): boolean {
  const inset = Math.max(2, Math.ceil(length * MAX_FRAME_INSET));
  const found = runs.filter((run) => run !== null);
  const isSymmetric = ({ first, last, hasGap }: Run) =>
    !hasGap && Math.abs(first - (length - 1 - last)) <= inset;
  return (
    found.every(isSymmetric) && found.some(({ first, last }) => first <= inset && last >= length - 1 - inset)
  );
}
