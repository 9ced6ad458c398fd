import type { Tensor } from '#libs/models/runner/messages.js';
import { pixelsOf, withMargin, type Area } from './area.js';
import type { RunModel } from './model-request.js';
import { showNothing, type ShowStep } from './preview.js';
import { maskParts } from './mask-parts.js';
import { outlineObjects, widen, type ObjectBoxes } from './outline-objects.js';
import { decodeImage, resizeGray, resizeRgba, type GrayImage, type RgbaImage } from './raster.js';
import {
  copyFilled,
  cropGray,
  cropRgba,
  dilateMask,
  inMask,
  readObjectMask,
  type ObjectRemoval,
  type ObjectRemovalStep,
} from './remove-object.js';

/** The longest side of the model's input; internally, it works at 512 pixels. */
const MAX_SIDE = 1024;
/** The margin around the hole that the model sees, as a share of the hole's size. */
const MARGIN_SHARE = 0.6;

/**
 * Removes what a mask covers, or the objects in some boxes, and fills the holes with a model. Every other pixel keeps
 * its exact value.
 * @throws AppError UNREADABLE_IMAGE; VALIDATION_FAILED for an empty or a full mask
 */
export async function fillHoles(
  bytes: Uint8Array,
  hole: { mask: Uint8Array } | { boxes: ObjectBoxes },
  step: (step: ObjectRemovalStep) => void,
  runModel: RunModel,
  show: ShowStep = showNothing,
): Promise<ObjectRemoval> {
  step('decoding');
  const photo = await decodeImage(bytes);
  let mask: GrayImage;
  let areas: Area[];
  if ('mask' in hole) {
    mask = await dilateMask(await readObjectMask(hole.mask, photo));
    areas = maskParts(mask);
  } else {
    await show(photo, { boxes: hole.boxes.chosen.map((box) => pixelsOf(widen(box), photo)) });
    ({ mask, areas } = await outlineObjects(photo, hole.boxes, runModel));
  }
  await show(photo, { removes: inMask(mask) });
  step('filling');
  let count = 0;
  for (const area of areas) count += await fill(photo, mask, area, runModel);
  await show(photo, {});
  step('blending');
  return { photo, share: count / (photo.width * photo.height) };
}

/** Fills what the mask covers in an area and its margin, in place, and clears that part of the mask. @returns the pixel count */
async function fill(photo: RgbaImage, mask: GrayImage, around: Area, runModel: RunModel): Promise<number> {
  const area = withMargin(around, MARGIN_SHARE, photo);
  const [crop, hole] = [cropRgba(photo, area), cropGray(mask, area)];
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
  return copyFilled(full, photo, mask, area, 3);
}

/** Runs the model, whose input is colour planes and a mask with 0 where it fills. */
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
