import { PICTURE_MAX_MEGAPIXELS } from '#libs/contract/config.js';
import { AppError } from '#libs/contract/errors.js';
import { readImageHeader } from '#libs/local-engine/images/image-header.js';
import { BudgetLineFull, MemoryBudget } from '#libs/resilience/memory-budget.js';

/** The side in pixels: twice the largest size on screen. */
const SIDE = 512;
const MB = 1024 * 1024;
/** Seconds that one picture has to be decoded. */
const DECODE_SECONDS = 10;
const MAX_WAITING = 12;

/** What all pictures that this api decodes at once may use: two of the largest size. */
const memory = new MemoryBudget(256 * MB, MAX_WAITING);

/** Measured with interlaced, turned and 16-bit images: once the pixels, and nearly as much to turn and scale them. */
const decodingBytes = ({ width, height, bytesPerPixel }: Awaited<ReturnType<typeof readImageHeader>>) =>
  16 * MB + 2 * width * height * bytesPerPixel;

/**
 * Makes an image square and small, without its metadata. Waits in a short line until there is memory for it.
 * @throws AppError UNREADABLE_IMAGE; UNAVAILABLE when too many wait
 */
export async function makeProfilePicture(path: string): Promise<Buffer> {
  try {
    const giveBack = await memory.take(decodingBytes(await readImageHeader({ path })));
    try {
      return await decode(path);
    } finally {
      giveBack();
    }
  } catch (cause) {
    if (cause instanceof BudgetLineFull) {
      throw new AppError(
        'UNAVAILABLE',
        'Many pictures are being read just now. Try again in a few seconds.',
        {
          cause,
        },
      );
    }
    throw new AppError(
      'UNREADABLE_IMAGE',
      'This image cannot be read: it is damaged. Save it anew and try again.',
      { cause },
    );
  }
}

/** Few starts of an api need the image library, so it is loaded when it is used. */
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
