import { AppError } from '#libs/contract/errors.js';

const MAX_CHARACTERS = 255;

/**
 * Value of the `Idempotency-Key` header. Undefined if not sent. @throws AppError VALIDATION_FAILED if it is blank or
 * too long
 */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = header.trim();
  if (key.length > 0 && key.length <= MAX_CHARACTERS) return key;
  const message = `Idempotency-Key must hold 1 to ${MAX_CHARACTERS} characters.`;
  throw new AppError('VALIDATION_FAILED', message, { details: [{ field: 'Idempotency-Key', message }] });
}
