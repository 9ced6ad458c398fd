import type { Area } from './area.js';
import type { RgbaImage } from './raster.js';

/** The largest difference per channel within a bar, for lossy formats. */
const TOLERANCE = 10;
/** A bar is at least this share of a side, and all bars leave more than this share. */
const MIN_BAR = 0.02;
const MIN_CONTENT = 0.2;

/** The part of a picture within bars of the upper left pixel's colour; null without bars. */
export function contentArea({ pixels, width, height }: RgbaImage): Area | null {
  const isBar = (x: number, y: number) => {
    const i = (y * width + x) * 4;
    if (pixels[3] === 0) return pixels[i + 3] === 0;
    for (let c = 0; c < 4; c += 1) if (Math.abs(pixels[i + c]! - pixels[c]!) > TOLERANCE) return false;
    return true;
  };
  const isRow = (y: number) => isEvery(width, (x) => isBar(x, y));
  const isColumn = (x: number) => isEvery(height, (y) => isBar(x, y));
  const [top, bottom] = barsOf(height, isRow);
  const [left, right] = barsOf(width, isColumn);
  const content = { left, top, width: width - left - right, height: height - top - bottom };
  const isBarred = content.width < (1 - MIN_BAR) * width || content.height < (1 - MIN_BAR) * height;
  const isLarge = content.width > MIN_CONTENT * width && content.height > MIN_CONTENT * height;
  return isBarred && isLarge ? content : null;
}

/** Numbers of rows or columns at both ends that are bars. */
function barsOf(length: number, isBar: (at: number) => boolean): [before: number, after: number] {
  let before = 0;
  while (before < length && isBar(before)) before += 1;
  let after = 0;
  while (after < length - before && isBar(length - 1 - after)) after += 1;
  return [before, after];
}

function isEvery(length: number, holds: (at: number) => boolean): boolean {
  for (let at = 0; at < length; at += 1) if (!holds(at)) return false;
  return true;
}
