import { ANSWER_MAX_MEGAPIXELS } from '#libs/contract/limits.js';
import { AppError } from '#libs/contract/errors.js';
import { typeOf } from '#libs/contract/file-type.js';
import { BudgetTooSmall, MemoryBudget } from '#libs/resilience/memory-budget.js';
import { BadImageHeader } from '#libs/pictures/header.js';
import { readImageHeader } from '#libs/pictures/image-header.js';

const MB = 1024 * 1024;
const ANSWER_MAX_PIXELS = ANSWER_MAX_MEGAPIXELS * 1_000_000;

/** The memory for all image jobs of this process together. */
const memory = new MemoryBudget(1_200 * MB);

/** The pixels with 16 bits, a copy to rotate them, and the JPEG. */
const encodingBytes = (pixels: number) => 32 * MB + pixels * 20;
/** A separate budget, so that encoding, which takes a second, does not wait for image jobs: one image of the largest size. */
const encodingMemory = new MemoryBudget(encodingBytes(ANSWER_MAX_PIXELS));

/** Sets the budget in megabytes for future jobs. */
export const limitImageMemory = (megabytes: number): void => memory.resize(megabytes * MB);

/**
 * Memory of an image job: the fixed cost of a thread with OpenCV, and a share for each pixel. Measured with interlaced images and masks of 16 bits and 12 to 50 megapixels: 380 to 950 MB.
 */
const THREAD_BYTES = 192 * MB;
const BYTES_PER_PIXEL = 12;
const BYTES_PER_OTHER_PIXEL = 6;
const decodedApart = new Set(['image/heic', 'image/avif', 'image/bmp', 'image/tiff', 'image/gif']);

/**
 * Waits until there is memory to work on an image on a thread.
 * @param mask decoded together with the image
 * @param hasAnswer true if the answer of an AI service is decoded too
 * @returns a function that releases the memory
 * @throws AppError UNREADABLE_IMAGE for a damaged image, and for an image that needs more memory than the budget
 */
export async function takeImageMemory(
  image: Uint8Array,
  mask: Uint8Array | null,
  hasAnswer: boolean,
  signal: AbortSignal,
): Promise<() => void> {
  signal.throwIfAborted();
  try {
    // A decoder of these formats needs memory beside that of the image.
    const copies = decodedApart.has(typeOf(image) ?? '') ? 2 : 1;
    const pixels = copies * (await countPixels(image));
    const maskPixels = mask ? await countPixels(mask) : 0;
    const otherPixels = maskPixels + (hasAnswer ? ANSWER_MAX_PIXELS : 0);
    const bytes = THREAD_BYTES + pixels * BYTES_PER_PIXEL + otherPixels * BYTES_PER_OTHER_PIXEL;
    return await memory.take(bytes, signal);
  } catch (cause) {
    if (cause instanceof BadImageHeader)
      throw unreadable('it is damaged. Save it again as PNG or JPEG', cause);
    if (cause instanceof BudgetTooSmall)
      throw unreadable('it has more pixels than this server has memory for. Make it smaller', cause);
    throw cause;
  }
}

/**
 * Waits until there is memory to encode an image that an AI service or this server made.
 * @returns a function that releases the memory
 */
export async function takeEncodingMemory(bytes: Uint8Array, signal: AbortSignal): Promise<() => void> {
  // Headers of formats that users cannot upload are not read.
  const pixels = await countPixels(bytes).catch(() => ANSWER_MAX_PIXELS);
  return encodingMemory.take(encodingBytes(Math.min(pixels, ANSWER_MAX_PIXELS)), signal);
}

async function countPixels(image: Uint8Array): Promise<number> {
  const { width, height } = await readImageHeader(image);
  return width * height;
}

const unreadable = (why: string, cause: Error) =>
  new AppError('UNREADABLE_IMAGE', `This picture cannot be read: ${why} and try once more.`, { cause });
