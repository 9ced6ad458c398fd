import { z } from 'zod';

/** What names where a page of a list begins; the answer before it gave it. */
export const cursorSchema = z
  .string()
  .max(200, 'Use the nextCursor of an earlier answer as it is, or none.')
  .optional();

/** How many rows one answer may hold, as text of a query. */
export function limitSchema(most: number, usual: number) {
  const message = `Give a whole number from 1 to ${most}.`;
  return z.coerce.number(message).int(message).min(1, message).max(most, message).default(usual);
}
