import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { errorStatus } from '#libs/contract/errors.js';
import type { Failure } from '#libs/contract/routes/define-route.js';
import { requestIdOf } from './request-id.js';

/**
 * Minimum bytes received per window. 2 kB/s is a quarter of the speed of a connection on a train; the long window
 * allows for pauses in tunnels.
 */
const WINDOW_MS = 30_000;
const WINDOW_BYTES = 60 * 1024;
const CHECK_MS = 1_000;
const CLOSE_DELAY_MS = 1_000;

/**
 * Ends requests whose body arrives too slowly, which would occupy connections and files for hours. Time in which this
 * server does not read is not counted. Replaces Node's limit of five minutes per request, which is too short for 5 MB
 * over a slow connection.
 */
export const minimumBodyRate =
  (clock: Clock = systemClock): RequestHandler =>
  (request, response, next) => {
    if (hasBody(request)) watch(request, response, clock);
    next();
  };

function watch(request: Request, response: Response, clock: Clock): void {
  let since = clock.elapsed();
  let before = request.socket.bytesRead;
  const stop = clock.every(CHECK_MS, () => {
    if (request.complete || request.destroyed) return stop();
    const now = clock.elapsed();
    if (request.readableFlowing === true && now - since < WINDOW_MS) return;
    const received = request.socket.bytesRead - before;
    const isSlow = request.readableFlowing === true && received < WINDOW_BYTES;
    since = now;
    before = request.socket.bytesRead;
    if (!isSlow) return;
    stop();
    refuse(request, response, clock);
  });
  request.once('close', stop);
}

function refuse(request: Request, response: Response, clock: Clock): void {
  if (!response.headersSent) {
    const failure: Failure = {
      success: false,
      message: 'The request arrived too slowly. Try again with a better connection.',
      code: 'REQUEST_TOO_SLOW',
      requestId: requestIdOf(request),
    };
    response.status(errorStatus[failure.code]).setHeader('Connection', 'close').json(failure);
  }
  clock.after(CLOSE_DELAY_MS, () => request.socket.destroy());
}

export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
