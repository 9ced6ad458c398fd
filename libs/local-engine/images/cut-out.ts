import { AppError } from '#libs/contract/errors.js';
import { readPhoto, resizePhoto, type Photo } from './photo.js';
import { findSubject } from './segment.js';
import { softenEdge } from './soft-edge.js';

/** The subject is sought on a copy of about this many pixels. */
const WORK_PIXELS = 512 * 512;
const LONGEST_WORK_SIDE = 1536;
/** On fewer pixels across there is nothing to tell a subject from its background by. */
const LEAST_WORK_SIDE = 12;

/** The steps of the work, each told as it begins. */
export type CutOutStep = 'decoding' | 'segmenting' | 'refining';

/** A picture whose background is transparent. */
export interface CutOut {
  photo: Photo;
  /** What came of it: a cut-out, or the picture as it was, since it was one already. */
  kind: 'cut' | 'already';
}

/**
 * Makes the background transparent by its colours alone; the subject keeps its pixels.
 * @throws AppError UNREADABLE_IMAGE; ENGINE_CANNOT where nothing stands out from the background
 */
export async function cutOut(bytes: Uint8Array, step: (step: CutOutStep) => void): Promise<CutOut> {
  step('decoding');
  const photo = await readPhoto(bytes);
  if (isCutOut(photo)) return { photo, kind: 'already' };

  step('segmenting');
  const { width, height } = workSize(photo);
  if (Math.min(width, height) < LEAST_WORK_SIDE) throw tooSmall();
  const mask = findSubject(await resizePhoto(photo, width, height));
  if (!mask.values.includes(255)) throw nothingFound();

  step('refining');
  const alpha = await softenEdge(photo, mask);
  applyAlpha(photo, alpha.values);
  return { photo, kind: 'cut' };
}

/**
 * Makes a picture as transparent as `alpha` (0 to 255, one a pixel) says, or as it was where that is more. What
 * cannot be seen any more is taken out, not only hidden.
 */
export function applyAlpha({ pixels }: Photo, alpha: Uint8Array): void {
  for (let i = 0, p = 0; i < alpha.length; i += 1, p += 4) {
    const value = Math.min(pixels[p + 3] as number, alpha[i] as number);
    if (value === 0) pixels.fill(0, p, p + 4);
    else pixels[p + 3] = value;
  }
}

function workSize({ width, height }: Photo): { width: number; height: number } {
  const scale = Math.min(
    1,
    Math.sqrt(WORK_PIXELS / (width * height)),
    LONGEST_WORK_SIDE / Math.max(width, height),
  );
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: side(width), height: side(height) };
}

/** Whether nearly all of the border is transparent: then somebody has cut the picture out before. */
function isCutOut({ pixels, width, height }: Photo): boolean {
  let [clear, all] = [0, 0];
  const look = (x: number, y: number) => {
    all += 1;
    if ((pixels[(y * width + x) * 4 + 3] as number) < 16) clear += 1;
  };
  for (let x = 0; x < width; x += 1) {
    look(x, 0);
    look(x, height - 1);
  }
  for (let y = 0; y < height; y += 1) {
    look(0, y);
    look(width - 1, y);
  }
  return clear > all * 0.9;
}

const tooSmall = () =>
  new AppError(
    'ENGINE_CANNOT',
    'This picture is too small or too narrow for its subject to be found. Use a larger one, or connect an AI service.',
  );

const nothingFound = () =>
  new AppError(
    'ENGINE_CANNOT',
    'Nothing in this picture stands out from its background by colour. Use another picture, or connect an AI service.',
  );
