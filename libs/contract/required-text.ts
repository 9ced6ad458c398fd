import { z } from 'zod';

/** A text that a request must have. @param what its name within a sentence */
export const requiredText = (missing: string, what: string, most: number) =>
  z
    .string({ error: missing })
    .trim()
    .min(1, missing)
    .max(most, `Keep the ${what} within ${most.toLocaleString('en-US')} characters.`);
