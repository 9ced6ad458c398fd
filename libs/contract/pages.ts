import { z } from 'zod';

/** Said of a cursor that no answer of ours gave. */
export const FOREIGN_CURSOR = 'Use the nextCursor of an earlier answer as it is, or none.';

/** What names where a page of a list begins; the answer before it gave it. */
export const cursorSchema = z.string(FOREIGN_CURSOR).max(200, FOREIGN_CURSOR).optional();

/** How many rows one answer may hold, as text of a query. */
export function limitSchema(most: number, usual: number) {
  const message = `Give a whole number from 1 to ${most}.`;
  return z.coerce.number(message).int(message).min(1, message).max(most, message).default(usual);
}
