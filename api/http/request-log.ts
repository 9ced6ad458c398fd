import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Options } from 'pino-http';
import ipaddr from 'ipaddr.js';
import type { Config } from '#libs/config/environment.js';
import { errorForLog } from '#libs/observability/logger.js';
import { RefusalLog } from './refusal-log.js';
import { logContextOf } from './trace-request.js';

type LoggedAddresses = Config['logAddresses'];

/** Format of ids that callers may choose: at most 100 characters that are safe in logs and headers. */
const VALID_REQUEST_ID = /^[\w.:-]{1,100}$/;

/** Paths that end with a secret: who has it can read the text or the file. */
const SECRET_PATH = /^(\/api\/shared\/|\/t\/|\/files\/(?:(?:batches|creations|exports)\/)?).+/;

/** Calls have a line each; of files and pages, only those that are refused or fail. */
const CALL = /^\/(api\/|mcp(\/|$))/;
/** Probes repeat while a service is down, which programs log themselves. */
const PROBE = /^\/health\//;

/** A request that was refused without a response object. */
export interface RefusedRequest {
  address: string;
  status: number;
  code: string;
  requestId?: string | undefined;
  path?: string;
}

export type RequestLogOptions = Options<IncomingMessage, ServerResponse> & {
  logRefused: (refused: RefusedRequest) => void;
};

/**
 * Logs one line per request, and adds the request id to every line logged during the request. Headers, bodies and
 * queries are not logged, since they may contain tokens, passwords or prompts. Of files and pages, only refused and failed requests
 * are logged. Many refused requests of one address have one line a minute.
 * @param addresses how much of the client's address a line has
 */
export function requestLogOptions(
  logger: Logger,
  { addresses }: { addresses: LoggedAddresses } = { addresses: 'network' },
): RequestLogOptions {
  const refusals = new RefusalLog(({ address, ...summary }) =>
    logger.info({ address: loggedAddress(address, addresses), ...summary }, 'Further requests were refused'),
  );
  const fieldsOf = (request: IncomingMessage, response: ServerResponse) => ({
    ...idsOf(request),
    code: codeOf(request, response),
    address: loggedAddress(addressOf(request), addresses),
  });
  return {
    logger,
    logRefused({ address, ...refused }) {
      if (refusals.count(address, refused.code))
        logger.info({ ...refused, address: loggedAddress(address, addresses) }, 'A request was refused');
    },
    genReqId(request, response) {
      const given = request.headers['x-request-id'];
      const id = typeof given === 'string' && VALID_REQUEST_ID.test(given) ? given : randomUUID();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    quietReqLogger: true,
    customAttributeKeys: { reqId: 'requestId' },
    customLogLevel(request, response, error) {
      const { statusCode } = response;
      const isCall = CALL.test(path(request));
      if (error || (isCall && statusCode >= 500)) return 'error';
      const code = codeOf(request, response);
      if (code === undefined) return isCall ? 'info' : 'silent';
      if (PROBE.test(path(request)) || !refusals.count(addressOf(request), code)) return 'silent';
      return statusCode >= 500 ? 'error' : 'info';
    },
    customSuccessMessage: messageOf,
    customErrorMessage: messageOf,
    // Add ids explicitly, since the line is written after the response, possibly outside of the request's context.
    customSuccessObject: (request, response, line: object) => ({ ...line, ...fieldsOf(request, response) }),
    customErrorObject: (request, response, _error, line: object) => ({
      ...line,
      ...fieldsOf(request, response),
    }),
    // The standard serializers would copy the request, which no line has.
    wrapSerializers: false,
    serializers: {
      req: () => undefined,
      res: () => undefined,
      err: errorForLog,
    },
  };
}

function idsOf(request: IncomingMessage) {
  const { userId, apiKeyId, jobId, traceId } = logContextOf(request);
  return { userId, apiKeyId, jobId, traceId };
}

/** The error code of a refused or failed request; the status where a library answered without one. */
const codeOf = (request: IncomingMessage, { statusCode }: ServerResponse): string | undefined =>
  statusCode < 400 ? undefined : (logContextOf(request).code ?? String(statusCode));

const messageOf = (request: IncomingMessage, { statusCode }: ServerResponse): string =>
  `${request.method} ${path(request).replace(SECRET_PATH, '$1...')} ${statusCode}`;

/** The client's address by the settings of trusted proxies. */
const addressOf = (request: IncomingMessage): string =>
  ('ip' in request && typeof request.ip === 'string' ? request.ip : request.socket.remoteAddress) ?? '';

/** Cuts an address to the network of its provider's customer group: /24 of IPv4, /48 of IPv6. */
export function loggedAddress(text: string, addresses: LoggedAddresses): string | undefined {
  if (addresses === 'none') return undefined;
  const plain = text.replace(/%.*$/, '');
  if (addresses === 'full' || !ipaddr.isValid(plain)) return plain || undefined;
  const address = ipaddr.process(plain);
  if (address instanceof ipaddr.IPv6)
    return `${address.parts
      .slice(0, 3)
      .map((part) => part.toString(16))
      .join(':')}::/48`;
  return `${address.octets.slice(0, 3).join('.')}.0/24`;
}

function path(request: IncomingMessage): string {
  const url =
    'originalUrl' in request && typeof request.originalUrl === 'string' ? request.originalUrl : request.url;
  return url?.split('?')[0] ?? '';
}
