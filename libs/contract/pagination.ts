import { z } from 'zod';

export const INVALID_CURSOR = 'Use the nextCursor of an earlier answer as it is, or none.';

/** Query parameter that continues a list: the `nextCursor` of the previous page. */
export const cursorSchema = z.string(INVALID_CURSOR).max(200, INVALID_CURSOR).optional();

/** Maximum text of a page: it ends with the entry that reaches this size, even if it has fewer than `limit` entries. */
export const PAGE_BYTES = 256 * 1024;

/** Query parameter for the number of entries in a page. */
export function limitSchema(max: number, defaultLimit = 20) {
  const message = `Give a whole number from 1 to ${max}.`;
  return z.coerce.number(message).int(message).min(1, message).max(max, message).default(defaultLimit);
}
