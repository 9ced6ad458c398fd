import { ANSWER_MAX_MEGAPIXELS } from '#libs/contract/limits.js';
import { AppError } from '#libs/contract/errors.js';
import { BudgetTooSmall, MemoryBudget } from '#libs/resilience/memory-budget.js';
import { BadImageHeader, readImageHeader } from '#libs/pictures/image-header.js';

const MB = 1024 * 1024;
const ANSWER_MAX_PIXELS = ANSWER_MAX_MEGAPIXELS * 1_000_000;

/** What all jobs of this process that decode images may use at once. */
const memory = new MemoryBudget(1_200 * MB);

/** Once the pixels of 16 bits, once more to turn them, and their JPEG. */
const encodingBytes = (pixels: number) => 32 * MB + pixels * 20;
/** Encoding takes a second and does not wait for larger work: one image of the largest size, or several smaller ones. */
const encodingMemory = new MemoryBudget(encodingBytes(ANSWER_MAX_PIXELS));

/** Sets the budget, in megabytes, for the jobs to come. */
export const limitImageMemory = (megabytes: number): void => memory.resize(megabytes * MB);

/**
 * Bytes for an image while it is worked on, from the fixed cost of a thread with OpenCV and a share for each pixel.
 * Measured with interlaced images and masks of 16 bits and 12 to 50 megapixels: 380 to 950 MB.
 */
const THREAD_BYTES = 192 * MB;
const BYTES_PER_PIXEL = 12;
const BYTES_PER_OTHER_PIXEL = 6;

/**
 * Waits until there is memory to work on an image on a thread.
 * @param mask decoded beside it; a damaged one is refused by the task
 * @param hasAnswer whether the answer of an AI service is decoded beside it
 * @returns a function that gives the memory back
 * @throws AppError UNREADABLE_IMAGE for a damaged image, and for one that this server can never work on
 */
export async function takeImageMemory(
  image: Uint8Array,
  mask: Uint8Array | null,
  hasAnswer: boolean,
  signal: AbortSignal,
): Promise<() => void> {
  signal.throwIfAborted();
  try {
    const pixels = await countPixels(image);
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
 * @returns a function that gives the memory back
 */
export async function takeEncodingMemory(bytes: Uint8Array, signal: AbortSignal): Promise<() => void> {
  // Other formats than those that users send are not looked into.
  const pixels = await countPixels(bytes).catch(() => ANSWER_MAX_PIXELS);
  return encodingMemory.take(encodingBytes(Math.min(pixels, ANSWER_MAX_PIXELS)), signal);
}

async function countPixels(image: Uint8Array): Promise<number> {
  const { width, height } = await readImageHeader(image);
  return width * height;
}

const unreadable = (why: string, cause: Error) =>
  new AppError('UNREADABLE_IMAGE', `This picture cannot be read: ${why} and try once more.`, { cause });
