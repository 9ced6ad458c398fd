import { resizePhoto, resizePlane, type Photo, type Plane } from './photo.js';

/** Radius of the window, in pixels of the small picture, within which the edge may follow the picture. */
const RADIUS = 3;
/** How strong a contrast must be for the edge to follow it, as a variance of brightness from 0 to 1. */
const FLATNESS = 0.0004;

/**
 * A hard mask found on a small copy, as a soft one of the picture's own size: a guided filter (He 2013) with the
 * picture's brightness as its guide, so that the edge lies on the picture's edge, not on the small copy's pixels.
 */
export async function softenEdge(photo: Photo, small: Plane): Promise<Plane> {
  const { width, height } = photo;
  const guide = brightness(await resizePhoto(photo, small.width, small.height));
  const hard = Float32Array.from(small.values, (value) => value / 255);
  const blur = (values: Float32Array) => boxBlur(values, small.width, small.height, RADIUS);
  const meanGuide = blur(guide);
  const meanMask = blur(hard);
  const both = blur(guide.map((value, i) => value * (hard[i] as number)));
  const squares = blur(guide.map((value) => value * value));
  const slope = new Float32Array(guide.length);
  const offset = new Float32Array(guide.length);
  for (let i = 0; i < slope.length; i += 1) {
    const [g, m] = [meanGuide[i] as number, meanMask[i] as number];
    slope[i] = ((both[i] as number) - g * m) / ((squares[i] as number) - g * g + FLATNESS);
    offset[i] = m - (slope[i] as number) * g;
  }
  const [slopes, offsets] = [blur(slope), blur(offset)];

  // How far from the outline a pixel lies decides whether it may be soft at all.
  const wide = await resizePlane(small, width, height, 'cubic');
  const near = await resizePlane(
    { ...small, values: Uint8Array.from(boxBlur(hard, small.width, small.height, 2), (v) => v * 255) },
    width,
    height,
    'linear',
  );
  const slopeAt = sampler(slopes, small.width, small.height, width, height);
  const offsetAt = sampler(offsets, small.width, small.height, width, height);
  const values = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, i += 1) {
      const around = near.values[i] as number;
      if (around === 0 || around === 255) {
        values[i] = wide.values[i] as number;
        continue;
      }
      const followed = slopeAt(x, y) * brightnessAt(photo.pixels, i) + offsetAt(x, y);
      values[i] = 255 * steepen(followed);
    }
  }
  return { values, width, height };
}

/** Makes nearly clear and nearly solid values clear and solid, so that no veil is left around the subject. */
const steepen = (alpha: number) => Math.min(Math.max((alpha - 0.12) / 0.76, 0), 1);

const brightnessAt = (pixels: Buffer, i: number) =>
  (0.299 * (pixels[i * 4] as number) +
    0.587 * (pixels[i * 4 + 1] as number) +
    0.114 * (pixels[i * 4 + 2] as number)) /
  255;

const brightness = ({ pixels, width, height }: Photo) =>
  Float32Array.from({ length: width * height }, (_, i) => brightnessAt(pixels, i));

/** Mean over a square window that is cut off at the borders. */
function boxBlur(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  const pass = (from: Float32Array, length: number, lines: number, step: number, stride: number) => {
    const to = new Float32Array(from.length);
    for (let line = 0; line < lines; line += 1) {
      const at = (k: number) => from[line * stride + k * step] as number;
      let [sum, n] = [0, 0];
      for (let k = 0; k < Math.min(radius, length); k += 1, n += 1) sum += at(k);
      for (let k = 0; k < length; k += 1) {
        if (k + radius < length) [sum, n] = [sum + at(k + radius), n + 1];
        if (k - radius > 0) [sum, n] = [sum - at(k - radius - 1), n - 1];
        to[line * stride + k * step] = sum / n;
      }
    }
    return to;
  };
  return pass(pass(values, width, height, 1, width), height, width, width, 1);
}

/** Reads a small grid at the places of a larger one, bilinearly. */
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
