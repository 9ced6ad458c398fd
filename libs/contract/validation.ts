import { AppError, type FieldError } from './errors.js';

interface Issue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[];
}

/** Converts a schema's issues to one error, which has the message of the first issue and lists all fields in `details`. */
export function validationError(issues: readonly Issue[]): AppError {
  const details: FieldError[] = issues.map(({ path, message }) => ({
    field: (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.') || 'body',
    message,
  }));
  return new AppError('VALIDATION_FAILED', details[0]?.message ?? 'The request is not valid.', { details });
}

/**
 * Rejects text that a JSON column of PostgreSQL cannot store: NUL characters and unpaired surrogates.
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
