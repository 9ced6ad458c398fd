import { AppError } from '#libs/contract/errors.js';
import type { ImageBox } from '#libs/contract/images.js';
import { matteIfDrawing } from './drawings.js';
import { decodeImage, resizeRgba, type GrayImage, type RgbaImage } from './raster.js';
import { ownTransparency } from './own-cut-out.js';
import { showNothing, type ShowStep } from './preview.js';
import { segmentSubject } from './segmentation.js';
import { refineMatte } from './guided-filter.js';

/** The subject is segmented on a copy of about this many pixels. */
const WORK_PIXELS = 512 * 512;
const MAX_WORK_SIDE = 1536;
/** Fewer pixels are not enough for a segmentation. */
const MIN_WORK_SIDE = 12;

export type BackgroundRemovalStep = 'decoding' | 'segmenting' | 'refining';

export interface BackgroundRemoval {
  photo: RgbaImage;
  /** `already`: the image was a cut-out and is unchanged; `drawing`: only its plain ground was removed. */
  kind: 'cut' | 'already' | 'drawing';
  /** The transparent share of the given image. */
  transparent: number;
}

/**
 * Makes the background transparent.
 * @param box drawn by the user around the subject; everything outside is background, and a cut-out is cut again
 * @throws AppError UNREADABLE_IMAGE; ENGINE_CANNOT when no subject is found, or for a screen without a box
 */
export async function removeBackground(
  bytes: Uint8Array,
  box: ImageBox | undefined,
  step: (step: BackgroundRemovalStep) => void,
  show: ShowStep = showNothing,
): Promise<BackgroundRemoval> {
  step('decoding');
  const photo = await decodeImage(bytes);
  const { share: transparent, isCutOut } = ownTransparency(photo);
  if (isCutOut && !box) return { photo, kind: 'already', transparent };

  step('segmenting');
  const drawn = box ? null : await matteIfDrawing(photo);
  if (drawn) {
    applyAlpha(photo, drawn);
    return { photo, kind: 'drawing', transparent };
  }
  const { width, height } = workSize(photo);
  if (Math.min(width, height) < MIN_WORK_SIDE) throw tooSmall();
  const mask = segmentSubject(await resizeRgba(photo, width, height));
  if (box) clearOutside(mask, box);
  if (!mask.values.includes(255)) throw nothingFound();

  await show(photo, { removes: outsideOf(mask, photo) });

  step('refining');
  const alpha = await refineMatte(photo, mask);
  // The refined rim may reach beyond the box.
  if (box) clearOutside(alpha, box);
  applyAlpha(photo, alpha.values);
  return { photo, kind: 'cut', transparent };
}

/** The share of a pixel that is removed, by a mask of another size. */
const outsideOf = (mask: GrayImage, photo: RgbaImage) => (x: number, y: number) => {
  const column = Math.floor((x / photo.width) * mask.width);
  const row = Math.floor((y / photo.height) * mask.height);
  return 1 - (mask.values[row * mask.width + column] as number) / 255;
};

function clearOutside({ values, width, height }: GrayImage, { left, top, right, bottom }: ImageBox): void {
  for (let i = 0; i < values.length; i += 1) {
    const x = ((i % width) + 0.5) / width;
    const y = (Math.floor(i / width) + 0.5) / height;
    if (x < left || x > right || y < top || y > bottom) values[i] = 0;
  }
}

/** Lowers the image's alpha to `alpha` (0 to 255 per pixel) and clears the colour of fully transparent pixels. */
export function applyAlpha({ pixels }: RgbaImage, alpha: Uint8Array): void {
  for (let i = 0, p = 0; i < alpha.length; i += 1, p += 4) {
    const value = Math.min(pixels[p + 3] as number, alpha[i] as number);
    // A call of `fill` for each pixel takes many times as long.
    if (value === 0) pixels[p] = pixels[p + 1] = pixels[p + 2] = 0;
    pixels[p + 3] = value;
  }
}

function workSize({ width, height }: RgbaImage): { width: number; height: number } {
  const scale = Math.min(
    1,
    Math.sqrt(WORK_PIXELS / (width * height)),
    MAX_WORK_SIDE / Math.max(width, height),
  );
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: side(width), height: side(height) };
}

const tooSmall = () =>
  new AppError(
    'ENGINE_CANNOT',
    'This picture is too small or too narrow for its subject to be found. Use a larger one.',
  );

const nothingFound = () =>
  new AppError(
    'ENGINE_CANNOT',
    'Nothing in this picture stands out from its background by colour. Use another picture.',
  );
