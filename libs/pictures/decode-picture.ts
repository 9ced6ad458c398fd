import { AppError } from '#libs/contract/errors.js';
import { readImageHeader } from './image-header.js';
import { BudgetLineFull, BudgetTooSmall, MemoryBudget } from '#libs/resilience/memory-budget.js';

const MB = 1024 * 1024;
const MAX_WAITING = 12;

/** What all pictures that this api decodes at once may use: two profile pictures of the largest size. */
const memory = new MemoryBudget(256 * MB, MAX_WAITING);

/** Measured with interlaced, turned and 16-bit images: once the pixels, and nearly as much to turn and scale them. */
const decodingBytes = ({ width, height, bytesPerPixel }: Awaited<ReturnType<typeof readImageHeader>>) =>
  16 * MB + 2 * width * height * bytesPerPixel;

/**
 * Decodes a picture once there is memory for it. Waits in a short line.
 * @throws AppError UNREADABLE_IMAGE for any failure of `decode`; UNAVAILABLE when too many wait
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
    if (cause instanceof BudgetLineFull) {
      throw new AppError(
        'UNAVAILABLE',
        'Many pictures are being read just now. Try again in a few seconds.',
        { cause },
      );
    }
    throw new AppError(
      'UNREADABLE_IMAGE',
      cause instanceof BudgetTooSmall
        ? 'This image needs more memory than can be given to it. Save it with 8 bits a channel, or make it smaller.'
        : 'This image cannot be read: it is damaged. Save it anew and try again.',
      { cause },
    );
  }
}
