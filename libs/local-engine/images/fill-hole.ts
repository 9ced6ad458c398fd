import type { Tensor } from '#libs/models/runner/messages.js';
import type { RunModel } from './model-request.js';
import { decodeImage, resizeGray, resizeRgba, type GrayImage, type RgbaImage } from './raster.js';
import {
  boundingBox,
  cropGray,
  cropRgba,
  dilateMask,
  readObjectMask,
  type ObjectRemoval,
  type ObjectRemovalStep,
} from './remove-object.js';
import { findSubject, MODEL_SIDE, type Area } from './subject-mask.js';

/** The longest side of what the model fills; it works at 512 pixels inside. */
const MAX_SIDE = 1024;
/** Around the hole, as a share of its size: what the model sees of the surroundings. */
const MARGIN_SHARE = 0.6;
/** A box is widened by this share of its size before its object is outlined. */
const BOX_MARGIN = 0.15;
/** Least likelihood of what is removed: a rim that stays is worse than one that is filled. */
const LEAST = 0.2;

/** A box in shares of the picture. */
export interface ObjectBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Removes what a mask covers, or the objects in some boxes, and fills their places with a model. Every other pixel keeps
 * its exact value.
 * @throws AppError UNREADABLE_IMAGE; VALIDATION_FAILED for an empty or a full mask
 */
export async function fillHoles(
  bytes: Uint8Array,
  hole: { mask: Uint8Array } | { boxes: ObjectBox[] },
  step: (step: ObjectRemovalStep) => void,
  runModel: RunModel,
): Promise<ObjectRemoval> {
  step('decoding');
  const photo = await decodeImage(bytes);
  let mask: GrayImage;
  const areas: Area[] = [];
  if ('mask' in hole) {
    mask = await dilateMask(await readObjectMask(hole.mask, photo));
    const { x: left, y: top, width, height } = boundingBox(mask, photo);
    areas.push({ left, top, width, height });
  } else {
    mask = { values: new Uint8Array(photo.width * photo.height), width: photo.width, height: photo.height };
    for (const box of hole.boxes) areas.push(await outline(photo, box, mask, runModel));
  }
  step('filling');
  let count = 0;
  for (const area of areas) count += await fill(photo, mask, area, runModel);
  step('blending');
  return { photo, share: count / (photo.width * photo.height) };
}

/** Adds the object in a box to the mask, widened, and more so below, where its shadow is. @returns its area */
async function outline(photo: RgbaImage, box: ObjectBox, mask: GrayImage, runModel: RunModel): Promise<Area> {
  const area = widen(box, photo);
  const { values } = await findSubject(photo, area, runModel);
  const square = Uint8Array.from(values, (value) => (value > LEAST ? 255 : 0));
  // An object that the model does not tell from its surroundings is removed with its whole box.
  if (square.reduce((sum, value) => sum + value / 255, 0) < square.length * 0.02) square.fill(255);
  const grown = grow(square);
  const inArea = await resizeGray(
    { values: grown, width: MODEL_SIDE, height: MODEL_SIDE },
    area.width,
    area.height,
    'linear',
  );
  for (let y = 0; y < area.height; y += 1) {
    for (let x = 0; x < area.width; x += 1) {
      if ((inArea.values[y * area.width + x] as number) >= 64)
        mask.values[(area.top + y) * mask.width + area.left + x] = 255;
    }
  }
  return area;
}

function widen(box: ObjectBox, { width, height }: RgbaImage): Area {
  const x = (box.right - box.left) * BOX_MARGIN;
  const y = (box.bottom - box.top) * BOX_MARGIN;
  const left = Math.max(0, Math.floor((box.left - x) * width));
  const top = Math.max(0, Math.floor((box.top - y) * height));
  return {
    left,
    top,
    width: Math.max(1, Math.min(width, Math.ceil((box.right + x) * width)) - left),
    height: Math.max(1, Math.min(height, Math.ceil((box.bottom + y) * height)) - top),
  };
}

/** In steps of the model's square: all around, and twice as far below. */
const GROW = 6;

function grow(square: Uint8Array): Uint8Array {
  const to = new Uint8Array(square.length);
  for (let y = 0; y < MODEL_SIDE; y += 1) {
    for (let x = 0; x < MODEL_SIDE; x += 1) {
      if (square[y * MODEL_SIDE + x] === 0) continue;
      const bottom = Math.min(MODEL_SIDE - 1, y + 2 * GROW);
      for (let row = Math.max(0, y - GROW); row <= bottom; row += 1)
        to.fill(
          255,
          row * MODEL_SIDE + Math.max(0, x - GROW),
          row * MODEL_SIDE + Math.min(MODEL_SIDE, x + GROW + 1),
        );
    }
  }
  return to;
}

/** Fills what the mask covers in an area and around it, in place, and clears it there. @returns its pixels */
async function fill(photo: RgbaImage, mask: GrayImage, around: Area, runModel: RunModel): Promise<number> {
  const area = withMargin(around, photo);
  const [crop, hole] = [cropRgba(photo, toBox(area)), cropGray(mask, toBox(area))];
  if (!hole.values.includes(255)) return 0;
  const scale = Math.min(1, MAX_SIDE / Math.max(area.width, area.height));
  const width = Math.max(8, Math.round(area.width * scale));
  const height = Math.max(8, Math.round(area.height * scale));
  const filled = await inpaint(
    await resizeRgba(crop, width, height),
    await resizeGray(hole, width, height, 'linear'),
    runModel,
  );
  const full = await resizeRgba(filled, area.width, area.height);
  let count = 0;
  for (let y = 0; y < area.height; y += 1) {
    for (let x = 0; x < area.width; x += 1) {
      const from = y * area.width + x;
      if (hole.values[from] === 0) continue;
      count += 1;
      const to = ((area.top + y) * photo.width + area.left + x) * 4;
      full.pixels.copy(photo.pixels, to, from * 4, from * 4 + 3);
      mask.values[to / 4] = 0;
    }
  }
  return count;
}

function withMargin({ left, top, width, height }: Area, photo: RgbaImage): Area {
  const margin = Math.max(24, Math.round(Math.max(width, height) * MARGIN_SHARE));
  const [x, y] = [Math.max(0, left - margin), Math.max(0, top - margin)];
  return {
    left: x,
    top: y,
    width: Math.min(photo.width, left + width + margin) - x,
    height: Math.min(photo.height, top + height + margin) - y,
  };
}

const toBox = ({ left, top, width, height }: Area) => ({ x: left, y: top, width, height });

/** The model takes planes of colours, and a mask that is 0 where it may fill. */
async function inpaint(
  { pixels, width, height }: RgbaImage,
  mask: GrayImage,
  runModel: RunModel,
): Promise<RgbaImage> {
  const size = width * height;
  const image = new Uint8Array(3 * size);
  for (let i = 0; i < size; i += 1)
    for (let c = 0; c < 3; c += 1) image[c * size + i] = pixels[i * 4 + c] as number;
  const input: Record<string, Tensor> = {
    image: { type: 'uint8', data: image, dims: [1, 3, height, width] },
    mask: {
      type: 'uint8',
      data: mask.values.map((value) => (value > 0 ? 0 : 255)),
      dims: [1, 1, height, width],
    },
  };
  const output = await runModel({ use: 'inpainting', input });
  const planes = Object.values(output)[0]?.data as Uint8Array;
  const out = Buffer.from(pixels);
  for (let i = 0; i < size; i += 1)
    for (let c = 0; c < 3; c += 1) out[i * 4 + c] = planes[c * size + i] as number;
  return { pixels: out, width, height };
}
