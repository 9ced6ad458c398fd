import { AppError } from '#libs/contract/errors.js';
import { withMargin, type Area } from './area.js';
import { cv, toMat, withFreedMemory } from './open-cv.js';
import { showNothing, type ShowStep } from './preview.js';
import {
  readMask,
  decodeImage,
  painted,
  resizeRgba,
  resizeGray,
  type RgbaImage,
  type GrayImage,
} from './raster.js';

export type ObjectRemovalStep = 'decoding' | 'filling' | 'blending';

export interface ObjectRemoval {
  photo: RgbaImage;
  /** The filled share of the image, 0 to 1. */
  share: number;
}

/** The margin around the mask's bounding box, as a share of its size. */
const MARGIN_SHARE = 0.35;
/** Larger areas are inpainted on a scaled copy. */
const WORK_PIXELS = 900_000;
/** Larger masks are dilated on a scaled copy. */
const MAX_DILATE_SIDE = 2_048;
/** The radius of the inpainting algorithm, in pixels. */
const INPAINT_RADIUS = 4;

/**
 * Inpaints the dilated mask (Telea 2004). Every other pixel keeps its exact value.
 * @throws AppError UNREADABLE_IMAGE; VALIDATION_FAILED for an empty or a full mask
 */
export async function removeObject(
  bytes: Uint8Array,
  maskBytes: Uint8Array,
  step: (step: ObjectRemovalStep) => void,
  show: ShowStep = showNothing,
): Promise<ObjectRemoval> {
  step('decoding');
  const photo = await decodeImage(bytes);
  const mask = await dilateMask(await readObjectMask(maskBytes, photo));
  await show(photo, { removes: inMask(mask) });

  step('filling');
  const area = withMargin(boundingBox(mask), MARGIN_SHARE, photo);
  const crop = cropRgba(photo, area);
  const areaMask = cropGray(mask, area);
  const scale = Math.min(1, Math.sqrt(WORK_PIXELS / (area.width * area.height)));
  const filled = await inpaintScaled(crop, areaMask, scale);

  step('blending');
  const count = copyFilled(filled, photo, mask, area, 4);
  await show(photo, {});
  return { photo, share: count / (photo.width * photo.height) };
}

/** Copies what a mask covers from a filled area into the photo, and clears that part of the mask. @returns the pixel count */
export function copyFilled(
  filled: RgbaImage,
  photo: RgbaImage,
  mask: GrayImage,
  area: Area,
  channels: 3 | 4,
): number {
  let count = 0;
  for (let y = 0, from = 0; y < area.height; y += 1) {
    for (let x = 0; x < area.width; x += 1, from += 4) {
      const to = (area.top + y) * photo.width + area.left + x;
      if (mask.values[to] === 0) continue;
      count += 1;
      filled.pixels.copy(photo.pixels, to * 4, from, from + channels);
      mask.values[to] = 0;
    }
  }
  return count;
}

/** The share of each pixel that the preview tints. */
export const inMask =
  ({ values, width }: GrayImage) =>
  (x: number, y: number): number =>
    (values[y * width + x] as number) / 255;

/** Decodes a mask at the size of its image. @throws AppError VALIDATION_FAILED for an empty or a full mask */
export async function readObjectMask(
  maskBytes: Uint8Array,
  { width, height }: RgbaImage,
): Promise<GrayImage> {
  const mask = await readMask(maskBytes, width, height);
  if (!mask.values.includes(255))
    throw invalid('Nothing is painted in the mask. Paint over the object to remove.');
  if (!mask.values.includes(0))
    throw invalid('The mask covers the whole picture. Paint over the object alone.');
  return mask;
}

const invalid = (message: string) =>
  new AppError('VALIDATION_FAILED', message, { details: [{ field: 'mask', message }] });

/**
 * Dilates a mask so that it covers the object's soft edge. The time grows with the fourth power of the side, so a large
 * mask is dilated on a scaled copy.
 */
export async function dilateMask(mask: GrayImage): Promise<GrayImage> {
  const { values, width, height } = mask;
  const longest = Math.max(width, height);
  const dilated =
    longest > MAX_DILATE_SIDE ? await dilateScaled(mask, MAX_DILATE_SIDE / longest) : dilate(mask);
  // Inpainting needs at least one pixel outside of the mask.
  return { values: dilated.includes(0) ? dilated : values, width, height };
}

async function dilateScaled({ values, width, height }: GrayImage, scale: number): Promise<Uint8Array> {
  const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  const small = painted(await resizeGray({ values, width, height }, side(width), side(height), 'linear'));
  const dilated = await resizeGray({ ...small, values: dilate(small) }, width, height, 'linear');
  for (let i = 0; i < values.length; i += 1)
    dilated.values[i] = (values[i] as number) > 0 || (dilated.values[i] as number) >= 128 ? 255 : 0;
  return dilated.values;
}

function dilate(plane: GrayImage): Uint8Array {
  const radius = Math.max(2, Math.round(Math.max(plane.width, plane.height) / 320));
  return withFreedMemory((track) => {
    const mask = track(toMat(plane));
    const side = 2 * radius + 1;
    cv.dilate(mask, mask, track(cv.getStructuringElement(cv.MORPH_ELLIPSE, new cv.Size(side, side))));
    return Uint8Array.from(mask.data);
  });
}

const boundingBox = (mask: GrayImage): Area => {
  const { x, y, width, height } = withFreedMemory((track) => cv.boundingRect(track(toMat(mask))));
  return { left: x, top: y, width, height };
};

async function inpaintScaled(crop: RgbaImage, mask: GrayImage, scale: number): Promise<RgbaImage> {
  if (scale === 1) return inpaint(crop, mask);
  const width = Math.max(1, Math.round(crop.width * scale));
  const height = Math.max(1, Math.round(crop.height * scale));
  // Partly covered pixels belong to the mask, so that the object's edge does not bleed into the result.
  const small = painted(await resizeGray(mask, width, height, 'linear'));
  const filled = inpaint(await resizeRgba(crop, width, height), small);
  return resizeRgba(filled, crop.width, crop.height);
}

/** Inpaints colour and alpha, so that a transparent background stays transparent. */
function inpaint({ pixels, width, height }: RgbaImage, plane: GrayImage): RgbaImage {
  return withFreedMemory((track) => {
    const rgba = track(new cv.Mat(height, width, cv.CV_8UC4));
    rgba.data.set(pixels);
    const mask = track(toMat(plane));
    const planes = track(new cv.MatVector());
    cv.split(rgba, planes);
    const alpha = track(planes.get(3));
    const [rgb, filled, filledAlpha] = [track(new cv.Mat()), track(new cv.Mat()), track(new cv.Mat())];
    cv.cvtColor(rgba, rgb, cv.COLOR_RGBA2RGB);
    cv.inpaint(rgb, mask, filled, INPAINT_RADIUS, cv.INPAINT_TELEA);
    cv.inpaint(alpha, mask, filledAlpha, INPAINT_RADIUS, cv.INPAINT_TELEA);
    // Each read of a matrix's `data` makes a new view of it.
    const [colours, opacities] = [filled.data, filledAlpha.data];
    const out = Buffer.alloc(width * height * 4);
    for (let i = 0; i < width * height; i += 1) {
      out[i * 4] = colours[i * 3] as number;
      out[i * 4 + 1] = colours[i * 3 + 1] as number;
      out[i * 4 + 2] = colours[i * 3 + 2] as number;
      out[i * 4 + 3] = opacities[i] as number;
    }
    return { pixels: out, width, height };
  });
}

export function cropRgba({ pixels, width }: RgbaImage, area: Area): RgbaImage {
  const out = Buffer.alloc(area.width * area.height * 4);
  for (let y = 0; y < area.height; y += 1) {
    const start = ((area.top + y) * width + area.left) * 4;
    pixels.copy(out, y * area.width * 4, start, start + area.width * 4);
  }
  return { pixels: out, width: area.width, height: area.height };
}

export function cropGray({ values, width }: GrayImage, area: Area): GrayImage {
  const out = new Uint8Array(area.width * area.height);
  for (let y = 0; y < area.height; y += 1) {
    const start = (area.top + y) * width + area.left;
    out.set(values.subarray(start, start + area.width), y * area.width);
  }
  return { values: out, width: area.width, height: area.height };
}
