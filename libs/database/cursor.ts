import { z } from 'zod';
import { AppError } from '#libs/contract/errors.js';

const cursorSchema = z.tuple([z.iso.datetime(), z.uuid()]);

/** Names a row in a list that is ordered by time and id, so that the next page starts behind it. */
export function encodeCursor(time: Date, id: string): string {
  return Buffer.from(JSON.stringify([time.toISOString(), id])).toString('base64url');
}

/** @throws AppError VALIDATION_FAILED for text that {@link encodeCursor} did not make */
export function decodeCursor(cursor: string): { time: string; id: string } {
  try {
    const [time, id] = cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { time, id };
  } catch (cause) {
    const message = 'Use the nextCursor of an earlier answer as it is, or none.';
    throw new AppError('VALIDATION_FAILED', message, { details: [{ field: 'cursor', message }], cause });
  }
}
