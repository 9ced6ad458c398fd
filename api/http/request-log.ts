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

/** The path of a shared text: its token is a secret, since who has it can read the text. */
const SHARED_TEXT = /^(\/api\/shared\/).+/;

/** A request that was refused before it had a response object. */
export interface RefusedRequest {
  address: string;
  status: number;
  code: string;
  requestId: string;
}

export type RequestLogOptions = Options<IncomingMessage, ServerResponse> & {
  logRefused: (refused: RefusedRequest) => void;
};

/**
 * Logs one line per request, and adds the request id to every line logged during the request. Headers, bodies and
 * queries are not logged, since they may contain tokens, passwords or prompts. Many refused requests of one address have one
 * line a minute.
 * @param addresses how much of the client's address a line has
 */
export function requestLogOptions(
  logger: Logger,
  { addresses }: { addresses: LoggedAddresses } = { addresses: 'network' },
): RequestLogOptions {
  const refusals = new RefusalLog(({ address, ...summary }) =>
    logger.info({ address: loggedAddress(address, addresses), ...summary }, 'Further requests were refused'),
  );
  const fieldsOf = (request: IncomingMessage) => ({
    ...idsOf(request),
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
    autoLogging: { ignore: (request) => !/^\/(api\/|mcp(\/|\?|$))/.test(request.url ?? '') },
    customLogLevel(request, { statusCode }, error) {
      if (error || statusCode >= 500) return 'error';
      if (statusCode < 400) return 'info';
      const code = logContextOf(request).code ?? String(statusCode);
      return refusals.count(addressOf(request), code) ? 'info' : 'silent';
    },
    customSuccessMessage: (request, response) => `${request.method} ${path(request)} ${response.statusCode}`,
    customErrorMessage: (request, response) => `${request.method} ${path(request)} ${response.statusCode}`,
    // Add ids explicitly, since the line is written after the response, possibly outside of the request's context.
    customSuccessObject: (request, _response, line: object) => ({ ...line, ...fieldsOf(request) }),
    customErrorObject: (request, _response, _error, line: object) => ({ ...line, ...fieldsOf(request) }),
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
  const { userId, apiKeyId, jobId, traceId, code } = logContextOf(request);
  return { userId, apiKeyId, jobId, traceId, code };
}

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
  return (url?.split('?')[0] ?? '').replace(SHARED_TEXT, '$1...');
}
