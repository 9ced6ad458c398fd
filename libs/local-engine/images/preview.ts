import sharp, { type Sharp } from 'sharp';
import { sizeInPixels, type ImageSize } from '#libs/contract/images.js';
import { PREVIEW_MAX_BYTES } from '#libs/contract/jobs.js';
import { takeEncodingMemory } from './image-memory.js';
import { ANSWER_MAX_PIXELS, openImage, toSharp, type RgbaImage } from './raster.js';
import { scaledArea, type Area } from './area.js';

/** Longest side in pixels and quality; the first encoding within the size limit is used. */
const ENCODINGS = [
  { side: 640, quality: 70 },
  { side: 640, quality: 40 },
  { side: 256, quality: 40 },
];

/** The position of the user's image on the canvas that was sent to an AI service. */
export interface Placement {
  size: ImageSize;
  place: Area;
}

/** A small WebP of an AI service's unfinished picture; null when the bytes are no picture. */
export async function toPreview(
  bytes: Uint8Array,
  canvas: Placement | null,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const release = await takeEncodingMemory(bytes, signal);
  try {
    const image = openImage(bytes, ANSWER_MAX_PIXELS);
    const area = canvas && (await areaOn(image, canvas));
    return await encode(area ? image.extract(area) : image);
  } catch {
    return null;
  } finally {
    release();
  }
}

/** The area of the user's image in an answer with the canvas's aspect ratio; null for another ratio. */
async function areaOn(image: Sharp, { size, place }: Placement): Promise<Area | null> {
  const { width = 0, height = 0 } = await image.metadata();
  const canvas = sizeInPixels(size);
  const scale = width / canvas.width;
  if (Math.abs(height - canvas.height * scale) > 1) return null;
  return scaledArea(place, scale, { width, height });
}

async function encode(image: Sharp): Promise<Uint8Array | null> {
  const { data, info } = await shrink(image);
  const { width, height, channels } = info;
  for (const { side, quality } of ENCODINGS) {
    const webp = await sharp(data, { raw: { width, height, channels } })
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality, alphaQuality: quality })
      .toBuffer();
    if (webp.length <= PREVIEW_MAX_BYTES) return webp;
  }
  return null;
}

const shrink = (image: Sharp) =>
  image
    .resize(ENCODINGS[0]!.side, ENCODINGS[0]!.side, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });

export type ShowStep = (photo: RgbaImage, found: FoundStep) => Promise<void>;
export const showNothing: ShowStep = async () => undefined;

/** The result of a step, in pixels of the photo. */
export interface FoundStep {
  boxes?: Area[];
  /** The share of a pixel that is removed, 0 to 1. */
  removes?: (x: number, y: number) => number;
}

const TINT = [214, 40, 70] as const;
const TINT_SHARE = 0.6;
const BOX_PIXELS = 4;

/** Draws the result of a step on a small WebP of the photo: boxes are framed, and removed parts are red. */
export async function drawStep(
  photo: RgbaImage,
  { boxes = [], removes }: FoundStep,
): Promise<Uint8Array | null> {
  const { data, info } = await shrink(toSharp(photo));
  const { width, height } = info;
  const small = { pixels: data, width, height };
  const [across, down] = [photo.width / width, photo.height / height];
  if (removes) {
    for (let i = 0; i < width * height; i += 1) {
      const x = Math.min(photo.width - 1, Math.floor(((i % width) + 0.5) * across));
      const y = Math.min(photo.height - 1, Math.floor((Math.floor(i / width) + 0.5) * down));
      tint(small, i, removes(x, y) * TINT_SHARE);
    }
  }
  for (const { left, top, width: w, height: h } of boxes)
    frame(small, { left: left / across, top: top / down, width: w / across, height: h / down });
  return encode(toSharp(small));
}

function tint({ pixels }: RgbaImage, i: number, share: number): void {
  for (let c = 0; c < 3; c += 1)
    pixels[i * 4 + c] = (pixels[i * 4 + c] as number) * (1 - share) + (TINT[c] as number) * share;
  if (share > 0) pixels[i * 4 + 3] = 255;
}

function frame(photo: RgbaImage, box: Area): void {
  const [left, top] = [Math.max(0, Math.floor(box.left)), Math.max(0, Math.floor(box.top))];
  const right = Math.min(photo.width, Math.ceil(box.left + box.width));
  const bottom = Math.min(photo.height, Math.ceil(box.top + box.height));
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const depth = Math.min(x - left, right - 1 - x, y - top, bottom - 1 - y);
      if (depth >= BOX_PIXELS) continue;
      // A white edge around red is visible on any background.
      if (depth === 0) photo.pixels.fill(255, (y * photo.width + x) * 4, (y * photo.width + x + 1) * 4);
      else tint(photo, y * photo.width + x, 1);
    }
  }
}
