import { AppError, type FieldError } from './errors.js';
import { isStorable } from './text.js';

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
 * Rejects text with broken characters, see {@link isStorable}.
 * @throws AppError VALIDATION_FAILED, naming the field
 */
export function requireStorable(input: unknown): void {
  for (const [field, value] of Object.entries(input as object)) {
    if (!hasStorableTexts(value)) {
      const message = `The field "${field}" contains invalid characters.`;
      throw new AppError('VALIDATION_FAILED', message, { details: [{ field, message }] });
    }
  }
}

function hasStorableTexts(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, one]) => isStorable(key) && hasStorableTexts(one));
}
