import sharp from 'sharp';
import { imageSizes, sizeInPixels, type ImageSize } from '#libs/contract/images.js';
import { EngineError } from '#libs/contract/engine.js';
import { AppError } from '#libs/contract/errors.js';
import { applyAlpha } from './remove-background.js';
import { answerOnPhoto } from './answer-area.js';
import type { Area } from './area.js';
import type { Placement } from './preview.js';
import { readObjectMask } from './remove-object.js';
import {
  ANSWER_MAX_PIXELS,
  notAPicture,
  toSharp,
  decodeImage,
  resizeRgba,
  resizeGray,
  type RgbaImage,
  type GrayImage,
} from './raster.js';

/** An image placed on a canvas of a size that image models accept. */
export interface Canvas extends Placement {
  image: Buffer;
  /** Transparent where the model may change the image. */
  mask?: Buffer;
}

/**
 * Fits an image into the canvas size of the nearest aspect ratio and extends its edge pixels to the canvas's border.
 * @throws AppError UNREADABLE_IMAGE; VALIDATION_FAILED for an empty mask
 */
export async function fitToCanvas(
  bytes: Uint8Array,
  maskBytes: Uint8Array | null,
  requested?: ImageSize,
): Promise<Canvas> {
  const photo = await decodeImage(bytes);
  const size = requested ?? nearestSize(photo);
  const { width, height } = sizeInPixels(size);
  const scale = Math.min(width / photo.width, height / photo.height);
  const side = (length: number, most: number) => Math.min(most, Math.max(1, Math.round(length * scale)));
  const inner = { width: side(photo.width, width), height: side(photo.height, height) };
  const place = {
    ...inner,
    left: Math.floor((width - inner.width) / 2),
    top: Math.floor((height - inner.height) / 2),
  };
  const border = {
    left: place.left,
    top: place.top,
    right: width - place.width - place.left,
    bottom: height - place.height - place.top,
  };
  const scaled = await resizeRgba(photo, place.width, place.height);
  const image = await toSharp(scaled)
    .extend({ ...border, extendWith: 'copy' })
    .png()
    .toBuffer();
  if (!maskBytes) return { size, image, place };

  const objectMask = await readObjectMask(maskBytes, photo);
  const editable = await resizeGray(objectMask, place.width, place.height, 'linear');
  const maskPixels = Buffer.alloc(place.width * place.height * 4);
  for (let i = 0; i < editable.values.length; i += 1)
    maskPixels[i * 4 + 3] = (editable.values[i] as number) > 0 ? 0 : 255;
  const mask = await toSharp({ pixels: maskPixels, width: place.width, height: place.height })
    .extend({ ...border, background: { r: 0, g: 0, b: 0, alpha: 1 } })
    .png()
    .toBuffer();
  return { size, image, place, mask };
}

/** The size of the nearest aspect ratio, on a logarithmic scale. */
function nearestSize(photo: { width: number; height: number }): ImageSize {
  const difference = (size: ImageSize) => {
    const { width, height } = sizeInPixels(size);
    return Math.abs(Math.log((photo.width * height) / (photo.height * width)));
  };
  return imageSizes.reduce((best, size) => (difference(size) < difference(best) ? size : best));
}

export interface Merged {
  photo: RgbaImage;
  /** The origin of the visible pixels: the original or the model. */
  pixels: 'own' | 'model';
}

/** The largest mean difference per channel (0 to 255) at which the subject counts as unchanged. */
const MAX_DIFFERENCE = 14;

/**
 * Applies the alpha channel of the model's answer to the original. If the model has changed the subject, its outline
 * does not fit the original, so the model's image is returned instead.
 * @throws EngineError when the answer has no transparency
 */
export async function mergeBackgroundRemoval(
  bytes: Uint8Array,
  answer: Uint8Array,
  canvas: Placement,
): Promise<Merged> {
  const photo = await decodeImage(bytes);
  const { image: edited } = await answerOnPhoto(await decodeAnswer(answer), canvas, photo, {
    outside: 'transparent',
  });
  let [difference, opaque, transparent] = [0, 0, 0];
  for (let i = 0; i < edited.pixels.length; i += 4) {
    const alpha = edited.pixels[i + 3] as number;
    if (alpha < 128) transparent += 1;
    if (alpha < 250) continue;
    opaque += 1;
    for (let c = i; c < i + 3; c += 1)
      difference += Math.abs((edited.pixels[c] as number) - (photo.pixels[c] as number));
  }
  if (transparent === 0 || opaque === 0) throw noTransparency();
  if (difference / (3 * opaque) > MAX_DIFFERENCE)
    return { photo: { ...photo, pixels: edited.pixels }, pixels: 'model' };
  applyAlpha(
    photo,
    Uint8Array.from({ length: photo.width * photo.height }, (_, i) => edited.pixels[i * 4 + 3] as number),
  );
  return { photo, pixels: 'own' };
}

/**
 * Blends the model's answer into the original within the feathered mask; every pixel outside keeps its exact value.
 * Without a mask, the model's image is returned; only what it does not show keeps the original's pixels.
 */
export async function mergeObjectRemoval(
  bytes: Uint8Array,
  maskBytes: Uint8Array | null,
  answer: Uint8Array,
  canvas: Placement,
): Promise<Merged> {
  const photo = await decodeImage(bytes);
  const mask = maskBytes && (await readObjectMask(maskBytes, photo));
  const { image: edited, covered } = await answerOnPhoto(await decodeAnswer(answer), canvas, photo, {
    outside: 'mirrored',
    ...(mask && { changed: mask }),
  });
  const { width, height } = photo;
  const isWhole = covered.width === width && covered.height === height;
  if (!mask && isWhole) return { photo: { ...photo, pixels: edited.pixels }, pixels: 'model' };
  const weights = mask ? await featherInside(mask) : weightsWithin(covered, photo);
  for (let i = 0; i < weights.values.length; i += 1) {
    const weight = (weights.values[i] as number) / 255;
    if (weight === 0) continue;
    for (let c = i * 4; c < i * 4 + 4; c += 1) {
      photo.pixels[c] = Math.round(
        (photo.pixels[c] as number) * (1 - weight) + (edited.pixels[c] as number) * weight,
      );
    }
  }
  return { photo, pixels: mask ? 'own' : 'model' };
}

/** The share of the covered area's sides over which the answer passes into the photo. */
const SEAM_SHARE = 0.12;

/** 255 in the middle of an area, falling to 0 at each of its edges that is not an edge of the photo. */
function weightsWithin({ left, top, width, height }: Area, photo: RgbaImage): GrayImage {
  const along = (start: number, length: number, whole: number) => {
    const ramp = Math.max(1, length * SEAM_SHARE);
    return Float32Array.from({ length: whole }, (_, at) => {
      const before = start === 0 ? ramp : at - start;
      const after = start + length === whole ? ramp : start + length - 1 - at;
      return Math.min(1, Math.max(0, Math.min(before, after) / ramp));
    });
  };
  const [across, down] = [along(left, width, photo.width), along(top, height, photo.height)];
  const values = new Uint8Array(photo.width * photo.height);
  for (let i = 0; i < values.length; i += 1)
    values[i] = 255 * across[i % photo.width]! * down[Math.floor(i / photo.width)]!;
  return { values, width: photo.width, height: photo.height };
}

/** Feathers a mask towards its inside: 0 outside, 255 a few pixels in. */
async function featherInside({ values, width, height }: GrayImage): Promise<GrayImage> {
  const blurred = await sharp(values, { raw: { width, height, channels: 1 }, limitInputPixels: false })
    .blur(Math.max(0.8, Math.max(width, height) / 600))
    .extractChannel(0)
    .raw()
    .toBuffer();
  // The blur is 128 at the mask's edge.
  const feathered = Uint8Array.from(blurred, (value, i) =>
    values[i] === 0 ? 0 : Math.max(0, value - 128) * 2 + 1,
  );
  return { values: feathered, width, height };
}

async function decodeAnswer(answer: Uint8Array): Promise<RgbaImage> {
  try {
    return await decodeImage(answer, ANSWER_MAX_PIXELS);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw notAPicture(cause);
  }
}

const noTransparency = () =>
  new EngineError(
    'The AI service gave back no picture with a transparent background. An operator needs to set AI_IMAGE_MODEL to a model that can make one.',
    { retryable: false },
  );
