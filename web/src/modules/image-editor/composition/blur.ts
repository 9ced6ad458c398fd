import type { Size } from '../../../shared/lib/picture';

/** Number of box blurs; three in a row approximate a Gaussian blur. */
const PASSES = 3;

/**
 * Blurs an image in place. Beyond the edges, the edge values repeat.
 * @param values interleaved channels, row by row
 * @param radius in pixels; less than half a pixel does nothing
 */
export function blurValues(
  values: Float32Array,
  { width, height }: Size,
  channels: number,
  radius: number,
): void {
  const reach = Math.round(radius);
  if (reach < 1) return;
  const line = new Float32Array(Math.max(width, height));
  const blurLine = (start: number, step: number, length: number) => {
    for (let i = 0; i < length; i += 1) line[i] = values[start + i * step] as number;
    const at = (i: number) => line[Math.min(length - 1, Math.max(0, i))] as number;
    let sum = 0;
    for (let i = -reach; i <= reach; i += 1) sum += at(i);
    for (let i = 0; i < length; i += 1) {
      values[start + i * step] = sum / (2 * reach + 1);
      sum += at(i + reach + 1) - at(i - reach);
    }
  };
  for (let pass = 0; pass < PASSES; pass += 1) {
    for (let channel = 0; channel < channels; channel += 1) {
      for (let y = 0; y < height; y += 1) blurLine(y * width * channels + channel, channels, width);
      for (let x = 0; x < width; x += 1) blurLine(x * channels + channel, width * channels, height);
    }
  }
}

/** Replaces the pixels of a cut-out by its black shadow. @param radius of the blur, in pixels @param strength from 0 to 1 */
export function toShadow(pixels: Uint8ClampedArray, size: Size, radius: number, strength: number): void {
  const alpha = new Float32Array(size.width * size.height);
  for (let i = 0; i < alpha.length; i += 1) alpha[i] = pixels[4 * i + 3] as number;
  blurValues(alpha, size, 1, radius);
  pixels.fill(0);
  for (let i = 0; i < alpha.length; i += 1) pixels[4 * i + 3] = (alpha[i] as number) * strength;
}

/** Weight of the subject's own pixels: above 0, so that the middle of a large subject gets a colour too. */
const HIDDEN_WEIGHT = 0.002;

/**
 * Blurs a photo in place. The subject's colours don't bleed into the background.
 * @param cutOut RGBA of the same size; its alpha marks the subject
 */
export function blurBehind(
  pixels: Uint8ClampedArray,
  cutOut: Uint8ClampedArray,
  size: Size,
  radius: number,
): void {
  const count = size.width * size.height;
  const values = new Float32Array(4 * count);
  for (let i = 0, p = 0; i < count; i += 1, p += 4) {
    const weight = HIDDEN_WEIGHT + (1 - HIDDEN_WEIGHT) * (1 - (cutOut[p + 3] as number) / 255);
    values[p] = (pixels[p] as number) * weight;
    values[p + 1] = (pixels[p + 1] as number) * weight;
    values[p + 2] = (pixels[p + 2] as number) * weight;
    values[p + 3] = weight;
  }
  blurValues(values, size, 4, radius);
  for (let p = 0; p < values.length; p += 4) {
    const weight = values[p + 3] as number;
    pixels[p] = (values[p] as number) / weight;
    pixels[p + 1] = (values[p + 1] as number) / weight;
    pixels[p + 2] = (values[p + 2] as number) / weight;
    pixels[p + 3] = 255;
  }
}
