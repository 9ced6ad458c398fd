import { AppError } from '#libs/contract/errors.js';
import { readImageHeader } from './image-header.js';
import { BudgetQueueFull, BudgetTooSmall, MemoryBudget } from '#libs/resilience/memory-budget.js';

const MB = 1024 * 1024;
const MAX_WAITING = 12;

/** Memory for decoding pictures in this process. Suffices for two profile pictures of the maximum size. */
const memory = new MemoryBudget(256 * MB, MAX_WAITING);

/**
 * Estimates the memory to decode an image: its pixels, and nearly as much again to rotate and scale them. Measured with
 * interlaced, rotated and 16-bit images.
 */
const decodingBytes = ({ width, height, bytesPerPixel }: Awaited<ReturnType<typeof readImageHeader>>) =>
  16 * MB + 2 * width * height * bytesPerPixel;

/**
 * Waits until there is enough memory for the picture at `path`, then calls `decode`.
 * @throws AppError UNREADABLE_IMAGE if `decode` fails or the picture needs too much memory; UNAVAILABLE if too many calls
 *   wait
 */
export async function decodePicture<T>(path: string, decode: () => Promise<T>): Promise<T> {
  try {
    const giveBack = await memory.take(decodingBytes(await readImageHeader({ path })));
    try {
      return await decode();
    } finally {
      giveBack();
    }
  } catch (cause) {
    if (cause instanceof BudgetQueueFull) {
      throw new AppError(
        'UNAVAILABLE',
        'Too many pictures are being processed at the moment. Try again in a few seconds.',
        { cause },
      );
    }
    throw new AppError(
      'UNREADABLE_IMAGE',
      cause instanceof BudgetTooSmall
        ? 'This image needs too much memory. Save it with 8 bits per channel, or make it smaller.'
        : 'This image is damaged and cannot be read. Save it again and retry.',
      { cause },
    );
  }
}
