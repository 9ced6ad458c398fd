import { z } from 'zod';

/** Schema of a required text. @param what the field's name within an error message */
export const requiredText = (missing: string, what: string, most: number) =>
  z
    .string({ error: missing })
    .trim()
    .min(1, missing)
    .max(most, `Keep the ${what} within ${most.toLocaleString('en-US')} characters.`);
