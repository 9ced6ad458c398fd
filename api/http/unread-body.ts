import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';

/** Maximum bytes and milliseconds for reading and discarding the rest of a body. */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 30_000;
/** Milliseconds between ending this side of a connection and destroying the socket. */
const DESTROY_DELAY_MS = 1_000;
const CHECK_INTERVAL_MS = 100;

/**
 * Lets a client that is still uploading read an early error response. Closing the connection at once would lose the
 * response, so the rest of the body is read and discarded, within limits.
 */
export const limitUnreadBody: RequestHandler = (request, response, next) => {
  // Must run before Node's own listener, which destroys the socket after the last response of a connection.
  response.prependOnceListener('finish', () => {
    if (request.complete) return;
    const isLast = !response.shouldKeepAlive || /\bclose\b/i.test(String(response.getHeader('Connection')));
    drain(request, isLast);
  });
  next();
};

function drain(request: IncomingMessage, isLast: boolean): void {
  const { socket } = request;
  const readBefore = socket.bytesRead;
  const until = performance.now() + DRAIN_MS;
  if (isLast) socket.destroySoon = () => undefined;
  const timer = setInterval(() => {
    if (socket.bytesRead - readBefore < DRAIN_BYTES && performance.now() < until) return;
    clearInterval(timer);
    close(socket);
  }, CHECK_INTERVAL_MS);
  timer.unref();
  request.once('close', () => {
    clearInterval(timer);
    if (isLast) close(socket);
  });
  request.unpipe();
  request.resume();
}

function close(socket: Socket): void {
  socket.end();
  setTimeout(() => socket.destroy(), DESTROY_DELAY_MS).unref();
}
