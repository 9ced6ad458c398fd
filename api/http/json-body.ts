import type { RequestHandler } from 'express';
import { AppError } from '#libs/contract/errors.js';

/** Refuses a body that is not declared as JSON, before anything reads it. A request without a body passes. */
export const requireJson: RequestHandler = (request, _response, next) => {
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
export const emptyBody: RequestHandler = (request, _response, next) => {
  request.body ??= {};
  next();
};
