import { json, raw, type ErrorRequestHandler, type RequestHandler } from 'express';
import { AppError } from '#libs/contract/errors.js';
import { toAppError } from './to-app-error.js';

/** Reads JSON objects up to a size (`100kb`); refuses everything else with the reason. */
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

/** Converts the parser's errors before Nest replaces their messages. */
const passAppError: ErrorRequestHandler = (error: unknown, _request, _response, next) =>
  next(toAppError(error));

/** Runs before the body is read. A request without a body passes. */
const requireJson: RequestHandler = (request, _response, next) => {
  // `is` returns null without a body, false for another type.
  if (request.is('json') === false && request.headers['content-length'] !== '0') {
    throw new AppError(
      'VALIDATION_FAILED',
      'Send the body as JSON, with the header "Content-Type: application/json".',
    );
  }
  next();
};

/** A missing body counts as an object without fields, so that validation names the missing fields. */
const requireObject: RequestHandler = (request, _response, next) => {
  request.body ??= {};
  if (Array.isArray(request.body))
    throw new AppError('VALIDATION_FAILED', 'The body must be a JSON object, not a list.');
  next();
};
