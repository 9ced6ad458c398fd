import { AppError } from '#libs/contract/errors.js';
import { matteSubject } from './matting.js';
import type { RunModel } from './model-request.js';
import { decodeImage, type RgbaImage } from './raster.js';
import { applyAlpha, hasTransparentBorder, type BackgroundRemovalStep } from './remove-background.js';
import {
  clearnessOf,
  findSubject,
  MODEL_SIDE,
  removeGhosts,
  subjectBox,
  valueAt,
  type Area,
  type Likelihood,
} from './subject-mask.js';

/** A box of more of the picture than this is not looked at a second time. */
const MAX_BOX_SHARE = 0.8;

export interface CutOut {
  photo: RgbaImage;
  /** `already`: the image had a transparent background and is unchanged. */
  kind: 'model' | 'already';
}

/**
 * Makes the background transparent with a segmentation model: it looks at the whole picture, then at its subject's box
 * alone, and the rim is matted at full resolution.
 * @throws AppError UNREADABLE_IMAGE; ENGINE_CANNOT when the model sees no clear subject
 */
export async function cutOut(
  bytes: Uint8Array,
  step: (step: BackgroundRemovalStep) => void,
  runModel: RunModel,
): Promise<CutOut> {
  step('decoding');
  const photo = await decodeImage(bytes);
  if (hasTransparentBorder(photo)) return { photo, kind: 'already' };

  step('segmenting');
  const whole = await findSubject(photo, wholeOf(photo), runModel);
  requireSubject(whole);
  removeGhosts(whole);
  const box = subjectBox(whole, photo);
  const isLarge = box.width * box.height > photo.width * photo.height * MAX_BOX_SHARE;
  const subject = isLarge ? whole : await lookCloser(photo, whole, box, runModel);

  step('refining');
  const { area, alpha } = await matteSubject(photo, subject);
  applyAlphaWithin(photo, area, alpha);
  return { photo, kind: 'model' };
}

export const wholeOf = ({ width, height }: { width: number; height: number }): Area => ({
  left: 0,
  top: 0,
  width,
  height,
});

/** What is nothing from afar stays nothing: close to it, the model takes parts of the background for a subject. */
async function lookCloser(
  photo: RgbaImage,
  whole: Likelihood,
  box: Area,
  runModel: RunModel,
): Promise<Likelihood> {
  const close = await findSubject(photo, box, runModel);
  const { values } = close;
  for (let i = 0; i < values.length; i += 1) {
    const x = box.left + (((i % MODEL_SIDE) + 0.5) / MODEL_SIDE) * box.width;
    const y = box.top + ((Math.floor(i / MODEL_SIDE) + 0.5) / MODEL_SIDE) * box.height;
    const afar = valueAt(whole, x, y);
    const near = values[i] as number;
    values[i] = afar < 0.02 ? Math.min(near, afar * 10) : 0.75 * near + 0.25 * afar;
  }
  removeGhosts(close);
  return close;
}

function requireSubject(whole: Likelihood): void {
  const { highest, share, certainty } = clearnessOf(whole);
  if (highest < 0.7 || share < 0.002 || share > 0.98 || certainty < 0.15) throw noSubject();
}

function applyAlphaWithin(photo: RgbaImage, area: Area, alpha: Uint8Array): void {
  const whole = new Uint8Array(photo.width * photo.height);
  for (let y = 0; y < area.height; y += 1) {
    whole.set(alpha.subarray(y * area.width, (y + 1) * area.width), (area.top + y) * photo.width + area.left);
  }
  applyAlpha(photo, whole);
}

const noSubject = () =>
  new AppError(
    'ENGINE_CANNOT',
    'No clear subject was found in this picture. Crop it closer to what you want to keep, or use a picture in which one thing stands out.',
  );
