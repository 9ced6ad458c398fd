import { IMAGE_MAX_MEGAPIXELS } from '#libs/contract/limits.js';
import { AppError } from '#libs/contract/errors.js';
import { BadImageHeader } from '#libs/pictures/header.js';
import { readImageHeader } from '#libs/pictures/image-header.js';

/**
 * Checks an image's size in its header without decoding it, since a small file may have a huge number of pixels.
 * @throws AppError UNREADABLE_IMAGE if the image is damaged or has too many pixels
 */
export async function checkImageHeader(path: string, maxMegapixels = IMAGE_MAX_MEGAPIXELS): Promise<void> {
  const { width, height } = await readHeader(path);
  if (width * height <= maxMegapixels * 1_000_000) return;
  throw new AppError(
    'UNREADABLE_IMAGE',
    `This image has ${width} × ${height} pixels. Up to ${maxMegapixels} megapixels can be read; make it smaller first.`,
  );
}

async function readHeader(path: string) {
  try {
    return await readImageHeader({ path });
  } catch (cause) {
    if (!(cause instanceof BadImageHeader)) throw cause;
    throw new AppError(
      'UNREADABLE_IMAGE',
      'This image is damaged and cannot be read. Save it again and retry.',
      { cause },
    );
  }
}
