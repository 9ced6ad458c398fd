import sharp from 'sharp';
import type { Area } from './area.js';
import type { RunModel } from './model-request.js';
import {
  likelihoodsIn,
  toTensor,
  uNetInput,
  type SegmentationInput,
} from '#libs/models/segmentation-input.js';
import { computeFloats, cv, toMat, withFreedMemory } from './open-cv.js';
import { toSharp, type RgbaImage } from './raster.js';

/** The side of the square in which a likelihood is kept: that of U²-Net's input. */
export const MODEL_SIDE = uNetInput.side;
const PIXELS = MODEL_SIDE * MODEL_SIDE;

/** The likelihood that each point of an area belongs to the subject, 0 to 1, in `MODEL_SIDE` columns and rows. */
export interface Likelihood {
  area: Area;
  values: Float32Array;
}

/** A segmentation model, and how it reads a picture. */
export interface Segmenter {
  runModel: RunModel;
  input: SegmentationInput;
}

export async function findSubject(photo: RgbaImage, area: Area, model: Segmenter): Promise<Likelihood> {
  return { area, values: await likelihoodsOf(await squareOfArea(photo, area, model), model) };
}

/** Finds the subject in the picture and in its mirror image, and returns the mean, which reduces errors of the model. */
export async function findSubjectTwice(photo: RgbaImage, area: Area, model: Segmenter): Promise<Likelihood> {
  const picture = await squareOfArea(photo, area, model);
  const values = await likelihoodsOf(picture, model);
  const mirrored = mirror(await likelihoodsOf(await mirrorPicture(picture, model), model));
  for (let i = 0; i < PIXELS; i += 1) values[i] = ((values[i] as number) + (mirrored[i] as number)) / 2;
  return { area, values };
}

/** The pixels of an area in the model's size, on white. */
const squareOfArea = (photo: RgbaImage, area: Area, { input: { side } }: Segmenter): Promise<Buffer> =>
  toSharp(photo)
    .extract(area)
    .flatten({ background: '#fff' })
    .resize(side, side, { fit: 'fill', kernel: sharp.kernel.cubic })
    .removeAlpha()
    .raw()
    .toBuffer();

const mirrorPicture = (pixels: Buffer, { input: { side } }: Segmenter): Promise<Buffer> =>
  sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .flop()
    .raw()
    .toBuffer();

/** Swaps left and right in rows of `MODEL_SIDE`. */
const mirror = (rows: Float32Array) =>
  rows.map((_, i) => rows[i + MODEL_SIDE - 1 - 2 * (i % MODEL_SIDE)] as number);

async function likelihoodsOf(picture: Buffer, { runModel, input }: Segmenter): Promise<Float32Array> {
  const answer = await runModel({ use: 'segmentation', input: { picture: toTensor(picture, input) } });
  const values = likelihoodsIn(answer, input);
  const side = Math.sqrt(values.length);
  if (side === MODEL_SIDE) return values;
  return computeFloats({ values, width: side, height: side }, (from, to) =>
    cv.resize(from, to, new cv.Size(MODEL_SIDE, MODEL_SIDE), 0, 0, cv.INTER_AREA),
  );
}

/** The value of a likelihood at a pixel of the picture, bilinearly. */
export function valueAt({ area, values }: Likelihood, x: number, y: number): number {
  const clip = (k: number) => Math.min(MODEL_SIDE - 1, Math.max(0, k));
  const column = clip(((x - area.left) / area.width) * MODEL_SIDE - 0.5);
  const row = clip(((y - area.top) / area.height) * MODEL_SIDE - 0.5);
  const [left, top] = [Math.floor(column), Math.floor(row)];
  const at = (i: number, j: number) => values[clip(j) * MODEL_SIDE + clip(i)] as number;
  const across = (j: number) => at(left, j) + (at(left + 1, j) - at(left, j)) * (column - left);
  return across(top) + (across(top + 1) - across(top)) * (row - top);
}

/** The pixel of the picture at the middle of a point of an area. */
export function pixelOf(area: Area, i: number): { x: number; y: number } {
  return {
    x: area.left + (((i % MODEL_SIDE) + 0.5) / MODEL_SIDE) * area.width,
    y: area.top + ((Math.floor(i / MODEL_SIDE) + 0.5) / MODEL_SIDE) * area.height,
  };
}

/** How clearly a picture has a subject. */
export interface Clearness {
  /** The greatest likelihood. */
  highest: number;
  /** The share of the picture with a likelihood above one half. */
  share: number;
  /** The share of the possible subject that the model is sure of. */
  certainty: number;
}

export function clearnessOf({ values }: Likelihood): Clearness {
  let [highest, subject, sure, maybe] = [0, 0, 0, 0];
  for (const value of values) {
    if (value > highest) highest = value;
    if (value > 0.5) subject += 1;
    if (value > 0.9) sure += 1;
    if (value > 0.1) maybe += 1;
  }
  return { highest, share: subject / values.length, certainty: maybe === 0 ? 0 : sure / maybe };
}

/** A point with a lower likelihood belongs to the subject only in its rim. */
const LEAST = 0.5;
/** A part with a smaller share of the largest part's area is removed. */
const MIN_PART_SHARE = 0.02;

/**
 * Sets everything to zero that is not connected with a clear part of the subject: faint shapes in the background and
 * specks.
 */
export function removeFaintParts({ values }: Likelihood): void {
  const near = withFreedMemory((track) => {
    const [mask, labels] = [
      track(squareOf(values.map((value) => Number(value >= LEAST)))),
      track(new cv.Mat()),
    ];
    const parts = Array.from({ length: cv.connectedComponents(mask, labels, 4) }, () => ({
      area: 0,
      highest: 0,
    }));
    const labelOf = labels.data32S;
    for (let i = 0; i < PIXELS; i += 1) {
      const part = parts[labelOf[i] as number] as (typeof parts)[number];
      part.area += 1;
      part.highest = Math.max(part.highest, values[i] as number);
    }
    // The first component is the background.
    const largest = Math.max(0, ...parts.slice(1).map(({ area }) => area));
    const isClear = parts.map(
      ({ area, highest }, label) => label > 0 && area >= largest * MIN_PART_SHARE && highest > 0.8,
    );
    // The soft rim of the remaining parts is as wide as the model blurs an outline.
    return dilate(
      Uint8Array.from(labelOf, (label) => (isClear[label] ? 255 : 0)),
      10,
    );
  });
  for (let i = 0; i < PIXELS; i += 1) if (near[i] === 0) values[i] = 0;
}

/** A mask of the model's square as a matrix. */
const squareOf = (values: Uint8Array | Float32Array) =>
  toMat({ values, width: MODEL_SIDE, height: MODEL_SIDE });

/** Dilates a mask of the model's square by a rectangle of `radius` points to each side, and `below` points downwards. */
export const dilate = (mask: Uint8Array, radius: number, below = radius): Uint8Array =>
  withFreedMemory((track) => {
    const [square, size] = [track(squareOf(mask)), new cv.Size(2 * radius + 1, radius + below + 1)];
    const rectangle = track(cv.getStructuringElement(cv.MORPH_RECT, size));
    cv.dilate(square, square, rectangle, new cv.Point(radius, below));
    return Uint8Array.from(square.data);
  });

/** The box around the possible subject. @param share margin, as a share of the longer side */
export function subjectBox(
  { values, area }: Likelihood,
  photo: { width: number; height: number },
  share = BOX_MARGIN,
): Area {
  let [left, right, top, bottom] = [MODEL_SIDE, -1, MODEL_SIDE, -1];
  for (let i = 0; i < PIXELS; i += 1) {
    if ((values[i] as number) < 0.3) continue;
    const x = i % MODEL_SIDE;
    const y = Math.floor(i / MODEL_SIDE);
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  const margin = Math.max(6, Math.round(Math.max(right - left, bottom - top) * share));
  const toX = (x: number) => area.left + Math.round((x / MODEL_SIDE) * area.width);
  const toY = (y: number) => area.top + Math.round((y / MODEL_SIDE) * area.height);
  const x = Math.max(0, toX(left - margin));
  const y = Math.max(0, toY(top - margin));
  return {
    left: x,
    top: y,
    width: Math.min(photo.width, toX(right + 1 + margin)) - x,
    height: Math.min(photo.height, toY(bottom + 1 + margin)) - y,
  };
}
const BOX_MARGIN = 0.12;
