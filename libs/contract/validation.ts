import { AppError, type FieldError } from './errors.js';

interface Issue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[];
}

/** One error for all issues: the message is that of the first, and `details` names each field. */
export function validationError(issues: readonly Issue[]): AppError {
  const details: FieldError[] = issues.map(({ path, message }) => ({
    field: (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.') || 'body',
    message,
  }));
  return new AppError('VALIDATION_FAILED', details[0]?.message ?? 'The request is not valid.', { details });
}

/**
 * Refuses text that a JSON column of PostgreSQL cannot hold: the character NUL, and half of a surrogate pair.
 * @throws AppError VALIDATION_FAILED, naming the field
 */
export function requireStorable(input: unknown): void {
  for (const [field, value] of Object.entries(input as object)) {
    const json = (JSON.stringify(value) ?? '').replaceAll('\\\\', '');
    if (/\\u0000|\\ud[89a-f][0-9a-f]{2}/i.test(json)) {
      const message = `The field "${field}" contains invalid characters.`;
      throw new AppError('VALIDATION_FAILED', message, { details: [{ field, message }] });
    }
  }
}
