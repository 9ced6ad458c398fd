import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

/** How much of a body, and for how long, is read and thrown away after the answer. */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 30_000;
/** Milliseconds between the end of our side of a connection and its being cut. */
const LAST_WORDS_MS = 1_000;
const LOOK_EVERY_MS = 100;

/**
 * Lets a client that is still sending read the answer to a request that was refused before its body ended: cutting the
 * connection at once would take the answer with it. What still comes is read and thrown away, within bounds; then the
 * connection is ended.
 */
export const boundUnreadBody: RequestHandler = (request, response, next) => {
  response.once('finish', () => {
    if (!request.complete) drain(request);
  });
  next();
};

function drain(request: IncomingMessage): void {
  const { socket } = request;
  const readBefore = socket.bytesRead;
  const until = Date.now() + DRAIN_MS;
  const looks = setInterval(() => {
    if (socket.bytesRead - readBefore < DRAIN_BYTES && Date.now() < until) return;
    clearInterval(looks);
    socket.end();
    setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
  }, LOOK_EVERY_MS);
  looks.unref();
  request.once('close', () => clearInterval(looks));
  request.unpipe();
  request.resume();
}
