import { boxMean } from './matting.js';
import { resizeRgba, resizeGray, type RgbaImage, type GrayImage } from './raster.js';

/** The window's radius, in pixels of the small mask. */
const RADIUS = 3;
/** The filter's regularisation, as a variance of brightness from 0 to 1. */
const EPSILON = 0.0004;

/**
 * Upsamples a binary mask to an alpha matte of the image's size with a guided filter (He 2013), whose guide is the
 * image's brightness, so that the matte follows the image's edges.
 */
export async function refineMatte(photo: RgbaImage, small: GrayImage): Promise<GrayImage> {
  const { width, height } = photo;
  const guide = brightness(await resizeRgba(photo, small.width, small.height));
  const hard = Float32Array.from(small.values, (value) => value / 255);
  const blur = (values: Float32Array) => boxMean(values, small.width, small.height, RADIUS);
  const meanGuide = blur(guide);
  const meanMask = blur(hard);
  const both = blur(guide.map((value, i) => value * (hard[i] as number)));
  const squares = blur(guide.map((value) => value * value));
  const slope = new Float32Array(guide.length);
  const offset = new Float32Array(guide.length);
  for (let i = 0; i < slope.length; i += 1) {
    const [g, m] = [meanGuide[i] as number, meanMask[i] as number];
    slope[i] = ((both[i] as number) - g * m) / ((squares[i] as number) - g * g + EPSILON);
    offset[i] = m - (slope[i] as number) * g;
  }
  const [slopes, offsets] = [blur(slope), blur(offset)];

  // The guided filter applies near the outline only.
  const upsampled = await resizeGray(small, width, height, 'cubic');
  const band = await resizeGray(
    { ...small, values: Uint8Array.from(boxMean(hard, small.width, small.height, 2), (v) => v * 255) },
    width,
    height,
    'linear',
  );
  const slopeAt = sampler(slopes, small.width, small.height, width, height);
  const offsetAt = sampler(offsets, small.width, small.height, width, height);
  const values = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, i += 1) {
      const inBand = band.values[i] as number;
      if (inBand === 0 || inBand === 255) {
        values[i] = upsampled.values[i] as number;
        continue;
      }
      const alpha = slopeAt(x, y) * brightnessAt(photo.pixels, i) + offsetAt(x, y);
      values[i] = 255 * increaseContrast(alpha);
    }
  }
  return { values, width, height };
}

/** Makes nearly transparent values transparent and nearly opaque values opaque, to avoid a halo. */
const increaseContrast = (alpha: number) => Math.min(Math.max((alpha - 0.12) / 0.76, 0), 1);

const brightnessAt = (pixels: Buffer, i: number) =>
  (0.299 * (pixels[i * 4] as number) +
    0.587 * (pixels[i * 4 + 1] as number) +
    0.114 * (pixels[i * 4 + 2] as number)) /
  255;

const brightness = ({ pixels, width, height }: RgbaImage) =>
  new Float32Array(width * height).map((_, i) => brightnessAt(pixels, i));

/** Samples a small grid at the coordinates of a larger one, bilinearly. */
function sampler(grid: Float32Array, columns: number, rows: number, width: number, height: number) {
  const along = (k: number, from: number, to: number) =>
    Math.min(Math.max(((k + 0.5) * from) / to - 0.5, 0), from - 1);
  const across = Float32Array.from({ length: width }, (_, x) => along(x, columns, width));
  return (x: number, y: number): number => {
    const u = across[x] as number;
    const v = along(y, rows, height);
    const [left, upper] = [Math.floor(u), Math.floor(v)];
    const [right, lower] = [Math.min(left + 1, columns - 1), Math.min(upper + 1, rows - 1)];
    const at = (column: number, row: number) => grid[row * columns + column] as number;
    const above = at(left, upper) + (at(right, upper) - at(left, upper)) * (u - left);
    const below = at(left, lower) + (at(right, lower) - at(left, lower)) * (u - left);
    return above + (below - above) * (v - upper);
  };
}
