import { AppError, type FieldError } from './errors.js';

/** What a Standard Schema says of one wrong field. */
interface Issue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[];
}

/** A wrong input as one error: the message alone says what to do, `details` names each field. */
export function validationError(issues: readonly Issue[]): AppError {
  const details: FieldError[] = issues.map(({ path, message }) => ({
    field: (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.') || 'body',
    message,
  }));
  return new AppError('VALIDATION_FAILED', details[0]?.message ?? 'The request is not valid.', { details });
}
