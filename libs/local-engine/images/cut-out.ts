import { AppError } from '#libs/contract/errors.js';
import type { ImageBox } from '#libs/contract/images.js';
import { pixelsOf, within, wholeOf, type Area } from './area.js';
import { findDoubt } from './doubt.js';
import { matteIfDrawing } from './drawings.js';
import { correctByGraphCut } from './graph-cut.js';
import { matteSubject } from './matting.js';
import { cutHoles } from './holes.js';
import { ownTransparency } from './own-cut-out.js';
import { showNothing, type ShowStep } from './preview.js';
import { decodeImage, type RgbaImage } from './raster.js';
import { applyAlpha, type BackgroundRemovalStep } from './remove-background.js';
import {
  clearnessOf,
  findSubject,
  findSubjectTwice,
  pixelOf,
  removeFaintParts,
  subjectBox,
  valueAt,
  type Likelihood,
  type Segmenter,
} from './subject-mask.js';

/** The model does not run again on a box with a larger share of the picture. */
const MAX_BOX_SHARE = 0.8;

export interface CutOut {
  photo: RgbaImage;
  /** `already`: the image was a cut-out and is unchanged; `drawing`: only its plain ground was removed. */
  kind: 'model' | 'already' | 'drawing';
  /** The transparent share of the given image. */
  transparent: number;
  /** A part of which it is doubtful whether it belongs to the subject; null if there is none. */
  doubt: ImageBox | null;
}

/**
 * Makes the background transparent with a segmentation model, which runs on the whole picture, or on the box that the
 * user drew, and then on its subject. A graph cut corrects uncertain parts, and the rim is matted at full resolution.
 * @throws AppError UNREADABLE_IMAGE; ENGINE_CANNOT when the model sees no clear subject, or for a screen without a box
 */
export async function cutOut(
  bytes: Uint8Array,
  drawn: ImageBox | undefined,
  step: (step: BackgroundRemovalStep) => void,
  model: Segmenter,
  show: ShowStep = showNothing,
): Promise<CutOut> {
  step('decoding');
  const photo = await decodeImage(bytes);
  const { share: transparent, isCutOut } = ownTransparency(photo);
  if (isCutOut && !drawn) return { photo, kind: 'already', transparent, doubt: null };

  step('segmenting');
  const drawing = drawn ? null : await matteIfDrawing(photo);
  if (drawing) {
    applyAlpha(photo, drawing);
    return { photo, kind: 'drawing', transparent, doubt: null };
  }
  const area = drawn ? pixelsOf(drawn, photo) : wholeOf(photo);
  const whole = await findSubject(photo, area, model);
  const runs = [{ area, values: whole.values.slice() }];
  if (drawn) trustBox(whole);
  else requireSubject(whole);
  // The graph cut decides on faint parts too.
  const withFaintParts = { area, values: whole.values.slice() };
  removeFaintParts(whole);
  if (clearnessOf(whole).share === 0) throw drawn ? nothingInBox() : noSubject();
  const box = within(subjectBox(whole, photo), area);
  await show(photo, { boxes: [box] });
  const isLarge = box.width * box.height > area.width * area.height * MAX_BOX_SHARE;
  const likelihood =
    isLarge || !model.input.closeUps
      ? withFaintParts
      : await segmentSubjectArea(photo, whole, area, model, runs);
  const subject = await correctByGraphCut(photo, likelihood);
  const findings = { runs, subject: { area: subject.area, values: subject.values.slice() } };
  removeFaintParts(subject);
  await show(photo, { removes: (x, y) => 1 - likelihoodAt(subject, x, y) });

  step('refining');
  const matte = await matteSubject(photo, subject);
  await cutHoles(photo, matte.area, matte.alpha);
  applyAlphaWithin(photo, matte.area, matte.alpha);
  return { photo, kind: 'model', transparent, doubt: findDoubt(photo, findings) };
}

/** The likelihood at a pixel of the picture, which is 0 outside of the area. */
function likelihoodAt(subject: Likelihood, x: number, y: number): number {
  return covers(subject.area, x, y) ? Math.min(1, Math.max(0, valueAt(subject, x, y))) : 0;
}

/** The margins around the subject in the model's inputs, as shares of the longer side of its box. */
const MARGINS = [0.05, 0.35];
/** The weights of the results for the subject's area and for the whole picture. */
const [CLOSE_UP_SHARE, WHOLE_SHARE] = [0.75, 0.25];

/**
 * The mean of the model's results close around the subject, with a wider margin (both mirrored too), and for the whole
 * picture.
 * @param runs gets the results
 */
async function segmentSubjectArea(
  photo: RgbaImage,
  whole: Likelihood,
  area: Area,
  model: Segmenter,
  runs: Likelihood[],
): Promise<Likelihood> {
  const closeUps: Likelihood[] = [];
  for (const margin of MARGINS) {
    const box = within(subjectBox(whole, photo, margin), area);
    closeUps.push(await findSubjectTwice(photo, box, model));
  }
  runs.push(...closeUps);
  const meanIn = (box: Area): Likelihood => {
    const values = Float32Array.from(whole.values, (_, i) => {
      const { x, y } = pixelOf(box, i);
      const near = closeUps.filter((closeUp) => covers(closeUp.area, x, y));
      const sum = near.reduce((total, closeUp) => total + valueAt(closeUp, x, y), 0);
      return WHOLE_SHARE * valueAt(whole, x, y) + (CLOSE_UP_SHARE * sum) / Math.max(1, near.length);
    });
    return { area: box, values };
  };
  const wide = meanIn((closeUps.at(-1) as Likelihood).area);
  removeFaintParts(wide);
  return clearnessOf(wide).share === 0 ? whole : meanIn(within(subjectBox(wide, photo), area));
}

const covers = ({ left, top, width, height }: Area, x: number, y: number) =>
  x >= left && y >= top && x < left + width && y < top + height;

function requireSubject(whole: Likelihood): void {
  const { highest, share, certainty } = clearnessOf(whole);
  if (highest < 0.7 || share < 0.002 || share > 0.98 || certainty < 0.15) throw noSubject();
}

/** Scales likelihoods to a maximum of 1, because a box that the user drew contains a subject. */
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
