import { z } from 'zod';

export const INVALID_CURSOR = 'Use the nextCursor of an earlier answer as it is, or none.';

/** The `nextCursor` of the previous page. */
export const cursorSchema = z.string(INVALID_CURSOR).max(200, INVALID_CURSOR).optional();

/** A page ends with the entry that fills this many bytes of text, even before `limit` entries. */
export const PAGE_BYTES = 1024 * 1024;

/** The number of entries of a page, from a query string. */
export function limitSchema(max: number, defaultLimit = 20) {
  const message = `Give a whole number from 1 to ${max}.`;
  return z.coerce.number(message).int(message).min(1, message).max(max, message).default(defaultLimit);
}
