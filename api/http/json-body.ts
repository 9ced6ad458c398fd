import { json, raw, type ErrorRequestHandler, type RequestHandler } from 'express';
import { AppError } from '#libs/contract/errors.js';
import { toAppError } from './to-app-error.js';

/** Reads JSON objects up to a size (`100kb`); everything else is refused with a message that says what is wrong. */
export const jsonBody = (limit: string): (RequestHandler | ErrorRequestHandler)[] => [
  requireJson,
  json({ limit }),
  requireObject,
  inOurWords,
];

/** Reads a body of any kind up to a size (`100kb`), and leaves it as it came. */
export const rawBody = (limit: string): (RequestHandler | ErrorRequestHandler)[] => [
  raw({ type: () => true, limit }),
  inOurWords,
];

/** Nest would word the parser's errors by itself. */
const inOurWords: ErrorRequestHandler = (error: unknown, _request, _response, next) =>
  next(toAppError(error));

/** Before anything is read. A request without a body passes. */
const requireJson: RequestHandler = (request, _response, next) => {
  // `is` answers null for a request without a body, false for a body of another type.
  if (request.is('json') === false && request.headers['content-length'] !== '0') {
    throw new AppError(
      'VALIDATION_FAILED',
      'Send the body as JSON, with the header "Content-Type: application/json".',
    );
  }
  next();
};

/** A call without a body is one with no fields: validation then names what is missing. */
const requireObject: RequestHandler = (request, _response, next) => {
  request.body ??= {};
  if (Array.isArray(request.body))
    throw new AppError('VALIDATION_FAILED', 'The body must be a JSON object, not a list.');
  next();
};
