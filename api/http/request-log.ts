import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Options } from 'pino-http';
import { errorForLog } from '#libs/observability/logger.js';
import { workOf } from './follow-request.js';

/** Ids that a caller may choose: short, and of characters that are harmless in a log and a header. */
const SANE_REQUEST_ID = /^[\w.:-]{1,100}$/;

export type RequestLogOptions = Options<IncomingMessage, ServerResponse>;

/**
 * One line for each request, and its id in every line that is written while it is answered. Lines hold neither
 * headers, bodies nor queries, so no token, cookie, password or prompt.
 */
export const requestLogOptions = (logger: Logger): RequestLogOptions => ({
  logger,
  genReqId(request, response) {
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', id);
    return id;
  },
  quietReqLogger: true,
  customAttributeKeys: { reqId: 'requestId' },
  autoLogging: { ignore: (request) => !/^\/api\//.test(request.url ?? '') },
  customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'error' : 'info'),
  customSuccessMessage: (request, response) => `${request.method} ${path(request)} ${response.statusCode}`,
  customErrorMessage: (request, response) => `${request.method} ${path(request)} ${response.statusCode}`,
  // The line is written when the answer has ended, which may be outside of the request's own context.
  customSuccessObject: (request, _response, line: object) => ({ ...line, ...idsOf(request) }),
  customErrorObject: (request, _response, _error, line: object) => ({ ...line, ...idsOf(request) }),
  serializers: {
    req: () => undefined,
    res: () => undefined,
    err: errorForLog,
  },
});

function idsOf(request: IncomingMessage) {
  const { userId, jobId, traceId } = workOf(request);
  return { userId, jobId, traceId };
}

function path(request: IncomingMessage): string {
  const url =
    'originalUrl' in request && typeof request.originalUrl === 'string' ? request.originalUrl : request.url;
  return url?.split('?')[0] ?? '';
}
