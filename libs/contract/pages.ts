import { z } from 'zod';

export const INVALID_CURSOR = 'Use the nextCursor of an earlier answer as it is, or none.';

/** The start of a page: `nextCursor` of the answer before. */
export const cursorSchema = z.string(INVALID_CURSOR).max(200, INVALID_CURSOR).optional();

/**
 * A page ends with the entry that fills these bytes of text, also before its `limit`; `nextCursor` then continues it.
 */
export const PAGE_BYTES = 1024 * 1024;

/** The length of a page, as text of a query. */
export function limitSchema(max: number, defaultLimit: number) {
  const message = `Give a whole number from 1 to ${max}.`;
  return z.coerce.number(message).int(message).min(1, message).max(max, message).default(defaultLimit);
}
