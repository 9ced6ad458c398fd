import { AppError } from '#libs/contract/errors.js';
import type { ImageBox } from '#libs/contract/images.js';
import { correctByGraphCut } from './graph-cut.js';
import { matteSubject } from './matting.js';
import type { RunModel } from './model-request.js';
import { showNothing, type ShowStep } from './preview.js';
import { decodeImage, type RgbaImage } from './raster.js';
import { applyAlpha, hasTransparentBorder, type BackgroundRemovalStep } from './remove-background.js';
import {
  clearnessOf,
  findSubject,
  findSubjectTwice,
  pixelOf,
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
 * Makes the background transparent with a segmentation model: it looks at the whole picture, then at its subject alone.
 * A graph cut corrects what it is unsure of, and the rim is matted at full resolution. With a box that the user drew, it
 * looks at that instead.
 * @throws AppError UNREADABLE_IMAGE; ENGINE_CANNOT when the model sees no clear subject
 */
export async function cutOut(
  bytes: Uint8Array,
  drawn: ImageBox | undefined,
  step: (step: BackgroundRemovalStep) => void,
  runModel: RunModel,
  show: ShowStep = showNothing,
): Promise<CutOut> {
  step('decoding');
  const photo = await decodeImage(bytes);
  if (hasTransparentBorder(photo)) return { photo, kind: 'already' };

  step('segmenting');
  const area = drawn ? pixelsOf(drawn, photo) : wholeOf(photo);
  const whole = await findSubject(photo, area, runModel);
  if (drawn) trustBox(whole);
  else requireSubject(whole);
  // The graph cut sees faint parts too, and decides on them.
  const withGhosts = { area, values: whole.values.slice() };
  removeGhosts(whole);
  if (clearnessOf(whole).share === 0) throw drawn ? nothingInBox() : noSubject();
  const box = within(subjectBox(whole, photo), area);
  await show(photo, { boxes: [box] });
  const isLarge = box.width * box.height > area.width * area.height * MAX_BOX_SHARE;
  const seen = isLarge ? withGhosts : await lookCloser(photo, whole, area, runModel);
  const subject = await correctByGraphCut(photo, seen);
  removeGhosts(subject);
  await show(photo, { removes: (x, y) => 1 - likelihoodAt(subject, x, y) });

  step('refining');
  const matte = await matteSubject(photo, subject);
  applyAlphaWithin(photo, matte.area, matte.alpha);
  return { photo, kind: 'model' };
}

export const wholeOf = ({ width, height }: { width: number; height: number }): Area => ({
  left: 0,
  top: 0,
  width,
  height,
});

function pixelsOf({ left, top, right, bottom }: ImageBox, { width, height }: RgbaImage): Area {
  const [x, y] = [Math.floor(left * width), Math.floor(top * height)];
  return {
    left: Math.min(x, width - 1),
    top: Math.min(y, height - 1),
    width: Math.max(1, Math.min(width, Math.ceil(right * width)) - x),
    height: Math.max(1, Math.min(height, Math.ceil(bottom * height)) - y),
  };
}

function within(box: Area, area: Area): Area {
  const left = Math.max(box.left, area.left);
  const top = Math.max(box.top, area.top);
  return {
    left,
    top,
    width: Math.max(1, Math.min(box.left + box.width, area.left + area.width) - left),
    height: Math.max(1, Math.min(box.top + box.height, area.top + area.height) - top),
  };
}

/** Nothing outside of the area belongs to the subject. */
function likelihoodAt(subject: Likelihood, x: number, y: number): number {
  return covers(subject.area, x, y) ? Math.min(1, Math.max(0, valueAt(subject, x, y))) : 0;
}

/** How far around the subject the model looks, as shares of the longer side of its box. */
const MARGINS = [0.05, 0.35];
/** What the model sees from near, and in the whole picture, counts by these shares. */
const [NEAR, AFAR] = [0.75, 0.25];

/** The mean of what the model sees close around the subject and with more room, both mirrored too, and in the whole picture. */
async function lookCloser(
  photo: RgbaImage,
  whole: Likelihood,
  area: Area,
  runModel: RunModel,
): Promise<Likelihood> {
  const looks: Likelihood[] = [];
  for (const margin of MARGINS) {
    const box = within(subjectBox(whole, photo, margin), area);
    looks.push(await findSubjectTwice(photo, box, runModel));
  }
  const meanIn = (box: Area): Likelihood => {
    const values = Float32Array.from(whole.values, (_, i) => {
      const { x, y } = pixelOf(box, i);
      const near = looks.filter((look) => covers(look.area, x, y));
      const sum = near.reduce((total, look) => total + valueAt(look, x, y), 0);
      return AFAR * valueAt(whole, x, y) + (NEAR * sum) / Math.max(1, near.length);
    });
    return { area: box, values };
  };
  const wide = meanIn((looks.at(-1) as Likelihood).area);
  removeGhosts(wide);
  return clearnessOf(wide).share === 0 ? whole : meanIn(within(subjectBox(wide, photo), area));
}

const covers = ({ left, top, width, height }: Area, x: number, y: number) =>
  x >= left && y >= top && x < left + width && y < top + height;

function requireSubject(whole: Likelihood): void {
  const { highest, share, certainty } = clearnessOf(whole);
  if (highest < 0.7 || share < 0.002 || share > 0.98 || certainty < 0.15) throw noSubject();
}

/** Scales likelihoods so that the highest is 1: in a box that the user drew there is a subject. */
function trustBox(inBox: Likelihood): void {
  const { highest } = clearnessOf(inBox);
  if (highest < 0.5) throw nothingInBox();
  for (let i = 0; i < inBox.values.length; i += 1)
    inBox.values[i] = Math.min(1, (inBox.values[i] as number) / highest);
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
    'No clear subject was found in this picture. Draw a box around what you want to keep, or use a picture in which one thing stands out.',
  );

const nothingInBox = () =>
  new AppError(
    'ENGINE_CANNOT',
    'Nothing in this box stands out from its background. Draw the box closer around what you want to keep, with a little room on each side.',
  );
