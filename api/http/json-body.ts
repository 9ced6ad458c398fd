import { json, raw, type ErrorRequestHandler, type RequestHandler } from 'express';
import { AppError } from '#libs/contract/errors.js';
import { toAppError } from './to-app-error.js';

/** Parses JSON objects of at most `limit` (such as `100kb`). Rejects other bodies with a message that says why. */
export const jsonBody = (limit: string): (RequestHandler | ErrorRequestHandler)[] => [
  requireJson,
  json({ limit }),
  requireObject,
  passAppError,
];

export const rawBody = (limit: string): (RequestHandler | ErrorRequestHandler)[] => [
  raw({ type: () => true, limit }),
  passAppError,
];

/** Converts parser errors here, since Nest would replace their messages. */
const passAppError: ErrorRequestHandler = (error: unknown, _request, _response, next) =>
  next(toAppError(error));

/** Rejects other media types before the body is read. Requests without a body pass. */
const requireJson: RequestHandler = (request, _response, next) => {
  // `is` returns null if there is no body, and false if the type is different.
  if (request.is('json') === false && request.headers['content-length'] !== '0') {
    throw new AppError(
      'VALIDATION_FAILED',
      'Send the body as JSON, with the header "Content-Type: application/json".',
    );
  }
  next();
};

/** Treats a missing body as an empty object, so that validation lists the missing fields. */
const requireObject: RequestHandler = (request, _response, next) => {
  request.body ??= {};
  if (Array.isArray(request.body))
    throw new AppError('VALIDATION_FAILED', 'The body must be a JSON object, not a list.');
  next();
};
