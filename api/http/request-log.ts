import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Options } from 'pino-http';
import { errorForLog } from '#libs/observability/logger.js';
import { logContextOf } from './trace-request.js';

/** Format of ids that callers may choose: at most 100 characters that are safe in logs and headers. */
const VALID_REQUEST_ID = /^[\w.:-]{1,100}$/;

export type RequestLogOptions = Options<IncomingMessage, ServerResponse>;

/**
 * Logs one line per request, and adds the request id to every line logged during the request. Headers, bodies and
 * queries are not logged, since they may contain tokens, passwords or prompts.
 */
export const requestLogOptions = (logger: Logger): RequestLogOptions => ({
  logger,
  genReqId(request, response) {
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && VALID_REQUEST_ID.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', id);
    return id;
  },
  quietReqLogger: true,
  customAttributeKeys: { reqId: 'requestId' },
  autoLogging: { ignore: (request) => !/^\/api\//.test(request.url ?? '') },
  customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'error' : 'info'),
  customSuccessMessage: (request, response) => `${request.method} ${path(request)} ${response.statusCode}`,
  customErrorMessage: (request, response) => `${request.method} ${path(request)} ${response.statusCode}`,
  // Add ids explicitly, since the line is written after the response, possibly outside of the request's context.
  customSuccessObject: (request, _response, line: object) => ({ ...line, ...idsOf(request) }),
  customErrorObject: (request, _response, _error, line: object) => ({ ...line, ...idsOf(request) }),
  serializers: {
    req: () => undefined,
    res: () => undefined,
    err: errorForLog,
  },
});

function idsOf(request: IncomingMessage) {
  const { userId, apiKeyId, jobId, traceId } = logContextOf(request);
  return { userId, apiKeyId, jobId, traceId };
}

function path(request: IncomingMessage): string {
  const url =
    'originalUrl' in request && typeof request.originalUrl === 'string' ? request.originalUrl : request.url;
  return url?.split('?')[0] ?? '';
}
