import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '#libs/accounts/identity.js';
import { AppError } from '#libs/contract/errors.js';
import { BodyBudget } from './body-budget.js';
import { hasBody } from './body-rate.js';
import { checkNesting } from './json-nesting.js';
import { network } from './rate-limits.js';
import { readBody } from './read-body.js';

/** Maximum bytes of the bodies of one user, or of one network without a user, whose requests are not answered. */
const PER_CALLER_MAX_BYTES = 8 * 2 ** 20;

/** Reads bodies into memory. They count until their requests are answered. */
export class RequestBodies {
  private readonly budget = new BodyBudget({ perCaller: PER_CALLER_MAX_BYTES });

  /**
   * Reads a JSON object, for `request.body`. A missing body is an empty object, so that validation lists the missing fields.
   * @param limit maximum bytes
   * @throws AppError VALIDATION_FAILED with a message that says why, FILE_TOO_LARGE, RATE_LIMITED
   */
  async readObject(request: Request, response: Response, limit: number): Promise<object> {
    requireJson(request);
    const body = await this.readRaw(request, response, limit);
    const value = body.length > 0 ? parseJson(body) : {};
    if (Array.isArray(value))
      throw new AppError('VALIDATION_FAILED', 'The body must be a JSON object, not a list.');
    if (typeof value !== 'object' || value === null) throw notJson();
    return value;
  }

  /** @throws AppError as {@link readObject} */
  async readRaw(request: Request & { caller?: Caller }, response: Response, limit: number): Promise<Buffer> {
    if (!hasBody(request)) return Buffer.alloc(0);
    const { add, release } = this.budget.open(request.caller?.userId ?? network(request.ip));
    response.once('close', release);
    return readBody(request, limit, add);
  }
}

export const jsonBody =
  (bodies: RequestBodies, limit: number): RequestHandler =>
  async (request, response, next) => {
    request.body = await bodies.readObject(request, response, limit);
    next();
  };

/** Rejects other media types before the body is read. Requests without a body pass. */
export function requireJson(request: Request): void {
  if (!hasBody(request)) return;
  if (!request.is('json')) {
    throw new AppError(
      'VALIDATION_FAILED',
      'Send the body as JSON, with the header "Content-Type: application/json".',
    );
  }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type']!)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new AppError('VALIDATION_FAILED', 'The body must be JSON in UTF-8.');
}

const decoder = new TextDecoder();

/** @throws AppError VALIDATION_FAILED */
export function parseJson(body: Buffer): unknown {
  checkNesting(body);
  try {
    return JSON.parse(decoder.decode(body));
  } catch (cause) {
    throw notJson(cause);
  }
}

const notJson = (cause?: unknown) =>
  new AppError('VALIDATION_FAILED', 'The body is not valid JSON.', { cause });
