import { IMAGE_MAX_MEGAPIXELS } from '#libs/contract/config.js';
import { AppError } from '#libs/contract/errors.js';

/**
 * Checks an image's header without decoding it, since a small file may hold very many pixels.
 * @throws AppError UNREADABLE_IMAGE for one that is damaged or has too many pixels
 */
export async function checkImageHeader(path: string): Promise<void> {
  const { width, height } = await readHeader(path);
  if (width * height <= IMAGE_MAX_MEGAPIXELS * 1_000_000) return;
  throw new AppError(
    'UNREADABLE_IMAGE',
    `This image has ${width} × ${height} pixels. Up to ${IMAGE_MAX_MEGAPIXELS} megapixels can be read; make it smaller first.`,
  );
}

async function readHeader(path: string): Promise<{ width: number; height: number }> {
  // Loaded with the first image: it takes a while, and most starts see none soon.
  const { default: sharp } = await import('sharp');
  try {
    return await sharp(path, { limitInputPixels: false }).metadata();
  } catch (cause) {
    throw new AppError(
      'UNREADABLE_IMAGE',
      'This image cannot be read: it is damaged. Save it anew and try again.',
      { cause },
    );
  }
}
