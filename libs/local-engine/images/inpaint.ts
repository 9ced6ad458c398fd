import { AppError } from '#libs/contract/errors.js';
import { cv, withMemory } from './open-cv.js';
import { readMask, readPhoto, resizePhoto, resizePlane, type Photo, type Plane } from './photo.js';

export type EraseStep = 'decoding' | 'filling' | 'blending';

export interface Erased {
  photo: Photo;
  /** The share of the picture that was filled, 0 to 1. */
  share: number;
}

/** Pixels around the hole that the filling may look at, as a share of its size. */
const SURROUNDINGS = 0.35;
/** The filling is computed on at most this many pixels; larger ones are scaled and brought back. */
const WORK_PIXELS = 900_000;
/** The longest side, in pixels, at which the rim of a mask is drawn. */
const RIM_SIDE = 2_048;
/** How far one pixel of the filling looks around, in pixels. */
const REACH = 4;

/**
 * Fills what a mask covers from its surroundings (Telea 2004). Every pixel beyond the mask, widened a little to take
 * in the object's soft edge, keeps its value exactly.
 * @throws AppError UNREADABLE_IMAGE; VALIDATION_FAILED for a mask with nothing painted, or with everything
 */
export async function erase(
  bytes: Uint8Array,
  maskBytes: Uint8Array,
  step: (step: EraseStep) => void,
): Promise<Erased> {
  step('decoding');
  const photo = await readPhoto(bytes);
  const painted = await readPainted(maskBytes, photo);
  const mask = await widen(painted);

  step('filling');
  const area = boxOf(mask, photo);
  const crop = cropPhoto(photo, area);
  const hole = cropPlane(mask, area);
  const scale = Math.min(1, Math.sqrt(WORK_PIXELS / (area.width * area.height)));
  const filled = await fill(crop, hole, scale);

  step('blending');
  let count = 0;
  for (let y = 0; y < area.height; y += 1) {
    for (let x = 0; x < area.width; x += 1) {
      const from = y * area.width + x;
      if (hole.values[from] === 0) continue;
      count += 1;
      const to = (area.y + y) * photo.width + area.x + x;
      filled.pixels.copy(photo.pixels, to * 4, from * 4, from * 4 + 4);
    }
  }
  return { photo, share: count / (photo.width * photo.height) };
}

/**
 * Reads a mask at the size of its picture.
 * @throws AppError VALIDATION_FAILED when it leaves nothing to remove, or nothing to keep
 */
export async function readPainted(maskBytes: Uint8Array, { width, height }: Photo): Promise<Plane> {
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
 * The mask and a rim around it, as wide as a blurred edge or a careless stroke may be. The rim of a large picture is
 * drawn on a small copy: what it takes grows with the fourth power of the side, to minutes for a camera's picture.
 */
async function widen(painted: Plane): Promise<Plane> {
  const { values, width, height } = painted;
  const longest = Math.max(width, height);
  const wide = longest > RIM_SIDE ? await widenLarge(painted, RIM_SIDE / longest) : dilate(painted);
  // Something must be left to fill from.
  return { values: wide.includes(0) ? wide : values, width, height };
}

async function widenLarge({ values, width, height }: Plane, scale: number): Promise<Uint8Array> {
  const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  const small = await resizePlane({ values, width, height }, side(width), side(height), 'linear');
  for (let i = 0; i < small.values.length; i += 1)
    small.values[i] = (small.values[i] as number) > 0 ? 255 : 0;
  const rim = await resizePlane({ ...small, values: dilate(small) }, width, height, 'linear');
  for (let i = 0; i < values.length; i += 1)
    rim.values[i] = (values[i] as number) > 0 || (rim.values[i] as number) >= 128 ? 255 : 0;
  return rim.values;
}

function dilate({ values, width, height }: Plane): Uint8Array {
  const radius = Math.max(2, Math.round(Math.max(width, height) / 320));
  return withMemory((keep) => {
    const mask = keep(new cv.Mat(height, width, cv.CV_8UC1));
    mask.data.set(values);
    const side = 2 * radius + 1;
    cv.dilate(mask, mask, keep(cv.getStructuringElement(cv.MORPH_ELLIPSE, new cv.Size(side, side))));
    return Uint8Array.from(mask.data);
  });
}

interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The smallest rectangle around the mask, with surroundings to fill from. */
function boxOf(mask: Plane, { width, height }: Photo): Area {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0, i = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, i += 1) {
      if (mask.values[i] === 0) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  }
  const margin = Math.max(24, Math.round(Math.max(right - left, bottom - top) * SURROUNDINGS));
  const x = Math.max(0, left - margin);
  const y = Math.max(0, top - margin);
  return {
    x,
    y,
    width: Math.min(width, right + margin + 1) - x,
    height: Math.min(height, bottom + margin + 1) - y,
  };
}

async function fill(crop: Photo, hole: Plane, scale: number): Promise<Photo> {
  if (scale === 1) return fillHere(crop, hole);
  const width = Math.max(1, Math.round(crop.width * scale));
  const height = Math.max(1, Math.round(crop.height * scale));
  const small = await resizePlane(hole, width, height, 'linear');
  // Any touch of the hole belongs to it, lest the object's edge bleed into the filling.
  for (let i = 0; i < small.values.length; i += 1)
    small.values[i] = (small.values[i] as number) > 0 ? 255 : 0;
  const filled = fillHere(await resizePhoto(crop, width, height), small);
  return resizePhoto(filled, crop.width, crop.height);
}

/** Colour and alpha are filled alike, so that an object on a transparent background leaves it transparent. */
function fillHere({ pixels, width, height }: Photo, hole: Plane): Photo {
  return withMemory((keep) => {
    const rgba = keep(new cv.Mat(height, width, cv.CV_8UC4));
    rgba.data.set(pixels);
    const mask = keep(new cv.Mat(height, width, cv.CV_8UC1));
    mask.data.set(hole.values);
    const planes = keep(new cv.MatVector());
    cv.split(rgba, planes);
    const alpha = keep(planes.get(3));
    const [rgb, filled, filledAlpha] = [keep(new cv.Mat()), keep(new cv.Mat()), keep(new cv.Mat())];
    cv.cvtColor(rgba, rgb, cv.COLOR_RGBA2RGB);
    cv.inpaint(rgb, mask, filled, REACH, cv.INPAINT_TELEA);
    cv.inpaint(alpha, mask, filledAlpha, REACH, cv.INPAINT_TELEA);
    const out = Buffer.alloc(width * height * 4);
    for (let i = 0; i < width * height; i += 1) {
      out[i * 4] = filled.data[i * 3] as number;
      out[i * 4 + 1] = filled.data[i * 3 + 1] as number;
      out[i * 4 + 2] = filled.data[i * 3 + 2] as number;
      out[i * 4 + 3] = filledAlpha.data[i] as number;
    }
    return { pixels: out, width, height };
  });
}

function cropPhoto({ pixels, width }: Photo, area: Area): Photo {
  const out = Buffer.alloc(area.width * area.height * 4);
  for (let y = 0; y < area.height; y += 1) {
    const start = ((area.y + y) * width + area.x) * 4;
    pixels.copy(out, y * area.width * 4, start, start + area.width * 4);
  }
  return { pixels: out, width: area.width, height: area.height };
}

function cropPlane({ values, width }: Plane, area: Area): Plane {
  const out = new Uint8Array(area.width * area.height);
  for (let y = 0; y < area.height; y += 1) {
    const start = (area.y + y) * width + area.x;
    out.set(values.subarray(start, start + area.width), y * area.width);
  }
  return { values: out, width: area.width, height: area.height };
}
