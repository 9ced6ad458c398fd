import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { addToLogContext } from '#libs/observability/log-context.js';
import type { Failure } from '#libs/contract/routes/define-route.js';
import { requestIdOf } from './request-id.js';
import { toAppError } from './to-app-error.js';

/** Converts each error to the contract's error response. */
@Catch()
export class ErrorsFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw error;
    const http = host.switchToHttp();
    answerError(error, http.getRequest<Request>(), http.getResponse<Response>());
  }
}

/** Answers with an error. Logs server errors with their stack. */
export function answerError(error: unknown, request: Request, response: Response): void {
  const { code, message, status, details, retryAfterSeconds } = toAppError(error);
  // The client closed the connection, so nobody gets a response. Most errors in this state are caused by the
  // disconnect.
  if (response.destroyed) return;
  addToLogContext({ code });
  if (status >= 500) request.log.error({ err: error, code }, 'Request failed');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (retryAfterSeconds) response.setHeader('Retry-After', Math.ceil(retryAfterSeconds));
  // Errors must not be cached: an image that is not found now may be published later.
  response.setHeader('Cache-Control', 'no-store');
  if (status === 401 && !response.hasHeader('WWW-Authenticate'))
    response.setHeader('WWW-Authenticate', 'Bearer');
  const failure: Failure = {
    success: false,
    message,
    code,
    requestId: requestIdOf(request),
    ...(details && { details }),
  };
  response.status(status).json(failure);
}
