import { z } from 'zod';
import { AppError } from '#libs/contract/errors.js';
import { INVALID_CURSOR } from '#libs/contract/pagination.js';

/** PostgreSQL has no year 0, so such a time would be a database error. */
const timeSchema = z.iso.datetime({ precision: 3 }).refine((time) => !time.startsWith('0000'));

/** Encodes the position of a row in a list ordered by time and id. The next page starts after that row. */
export function encodeCursor(time: Date, id: string): string {
  return Buffer.from(JSON.stringify([time.toISOString(), id])).toString('base64url');
}

/**
 * @param idSchema schema of the ids in the list
 * @throws AppError VALIDATION_FAILED if the text is not a cursor
 */
export function decodeCursor(
  cursor: string,
  idSchema: z.ZodType<string> = z.uuid(),
): { time: string; id: string } {
  try {
    const [time, id] = z
      .tuple([timeSchema, idSchema])
      .parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { time, id };
  } catch (cause) {
    throw new AppError('VALIDATION_FAILED', INVALID_CURSOR, {
      details: [{ field: 'cursor', message: INVALID_CURSOR }],
      cause,
    });
  }
}
