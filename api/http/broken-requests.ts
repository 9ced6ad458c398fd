import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse, STATUS_CODES, type Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';
import type { Failure } from '#libs/contract/routes/define-route.js';
import { AppError } from '#libs/contract/errors.js';
import type { RequestLogOptions } from './request-log.js';

/** Responses to requests that Node cannot parse, by Node's error code. Other codes get 400. */
const refusals: Record<string, [status: number, code: Failure['code'], message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'VALIDATION_FAILED', 'The address and headers of the request are too long.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'FILE_TOO_LARGE', 'The extensions of the body’s chunks are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'REQUEST_TOO_SLOW', 'The request arrived too slowly.'],
};
const NO_REQUEST = [400, 'VALIDATION_FAILED', 'This is no valid HTTP request.'] as const;

/**
 * Gives requests that Node rejects before Express the same security headers and error format as all other responses.
 * @param securityHeaders handlers that set the headers of all other responses
 */
export function answerBrokenRequests(
  server: Server,
  securityHeaders: RequestHandler[],
  { logRefused }: Pick<RequestLogOptions, 'logRefused'>,
): void {
  const answering = new WeakMap<Duplex, Set<ServerResponse>>();
  const refused = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, status: number, code: Failure['code'], message: string) => {
    const requestId = randomUUID();
    const address = (socket instanceof Socket && socket.remoteAddress) || '';
    if (socket.writable) logRefused({ address, status, code, requestId });
    refuseConnection(socket, status, { success: false, message, code, requestId }, securityHeaders);
  };
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const responses = answering.get(request.socket) ?? new Set();
    answering.set(request.socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const [status, code, message] = refusals[error.code ?? ''] ?? NO_REQUEST;
    const responses = [...(answering.get(socket) ?? [])];
    // The unparsable body belongs to a request whose response has already begun, so no error can be sent.
    if (responses.some(({ req, headersSent }) => !req.complete && headersSent)) return void socket.destroy();
    // Earlier requests on this connection must be answered first.
    const earlier = responses.findLast(({ req }) => req.complete);
    if (earlier) earlier.once('close', () => refuse(socket, status, code, message));
    else refuse(socket, status, code, message);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    refuse(socket, 400, 'VALIDATION_FAILED', 'This server is no proxy.');
  });
  // Node would reject an unknown Expect header without the security headers. Ignoring it is allowed (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Node would reject a missing Host header without the security headers; `requireHost` rejects it instead.
  Object.assign(server, { requireHostHeader: false });
}

/** Rejects HTTP/1.1 requests without exactly one Host header (RFC 9112, 3.2). */
export const requireHost: RequestHandler = (request, response, next) => {
  const hosts = request.rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name));
  if (hosts.length === 1 || (hosts.length === 0 && request.httpVersion === '1.0')) return next();
  response.setHeader('Connection', 'close');
  next(new AppError('VALIDATION_FAILED', 'A request has one Host header.'));
};

/** Writes a response to a socket for which Node has no response object, and closes the connection. */
export function refuseConnection(
  socket: Duplex,
  status: number,
  body: object,
  securityHeaders: RequestHandler[],
): void {
  socket.on('error', () => undefined);
  if (!socket.writable) return void socket.destroy();
  const text = JSON.stringify(body);
  const headers = {
    ...headersOf(securityHeaders),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
}

function headersOf(handlers: RequestHandler[]): Record<string, unknown> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  for (const setHeaders of handlers) setHeaders(request as Request, response as Response, () => undefined);
  return response.getHeaders();
}
