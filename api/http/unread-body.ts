import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

/** The most bytes and the longest time for which the rest of a body is read and discarded. */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 30_000;
/** Milliseconds between ending our side of a connection and destroying it. */
const DESTROY_DELAY_MS = 1_000;
const CHECK_INTERVAL_MS = 100;

/**
 * Lets a client that is still sending read the answer to a request that was refused before its body ended. Closing the
 * connection at once would lose the answer, so the rest of the body is read and discarded, within limits.
 */
export const limitUnreadBody: RequestHandler = (request, response, next) => {
  response.once('finish', () => {
    if (!request.complete) drain(request);
  });
  next();
};

function drain(request: IncomingMessage): void {
  const { socket } = request;
  const readBefore = socket.bytesRead;
  const until = Date.now() + DRAIN_MS;
  const timer = setInterval(() => {
    if (socket.bytesRead - readBefore < DRAIN_BYTES && Date.now() < until) return;
    clearInterval(timer);
    socket.end();
    setTimeout(() => socket.destroy(), DESTROY_DELAY_MS).unref();
  }, CHECK_INTERVAL_MS);
  timer.unref();
  request.once('close', () => clearInterval(timer));
  request.unpipe();
  request.resume();
}
