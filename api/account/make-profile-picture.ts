import { PICTURE_MAX_MEGAPIXELS } from '#libs/contract/limits.js';
import { decodePicture } from '#libs/pictures/decode-picture.js';

/** Width and height in pixels: twice the largest size on screen. */
const SIDE = 512;
const DECODE_SECONDS = 10;

/**
 * Crops an image to a small square and removes its metadata. Waits in a short queue until there is memory to decode it.
 * @throws AppError UNREADABLE_IMAGE; UNAVAILABLE if the queue is full
 */
export const makeProfilePicture = (path: string): Promise<Buffer> => decodePicture(path, () => decode(path));

/** Loads the image library on first use, since few API processes need it. */
async function decode(path: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  return sharp(path, { limitInputPixels: PICTURE_MAX_MEGAPIXELS * 1_000_000, sequentialRead: true })
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    .resize(SIDE, SIDE, { fit: 'cover', withoutEnlargement: true })
    .webp({ quality: 86 })
    .toBuffer();
}
