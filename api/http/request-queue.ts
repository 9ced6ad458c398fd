import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { AppError } from '#libs/contract/errors.js';
import { answerError } from './errors-filter.js';
import { network } from './rate-limits.js';

/** Requests that start in one iteration of the event loop. */
const STARTS_PER_ITERATION = 4;
/** Waiting requests of a connection. Only a client that pipelines has more than one. */
const WAITING_PER_CONNECTION = 16;

type Start = () => void;

/**
 * Starts few requests in an iteration of the event loop, from each address in turn, and from each token of an address in
 * turn, so that a request does not wait for hundreds of another client.
 */
export function queueRequests(startsPerIteration = STARTS_PER_ITERATION): RequestHandler {
  const addresses = new Map<string, Map<string, Start[]>>();
  const waitingCounts = new WeakMap<Socket, number>();
  let startedCount = 0;
  const start = (run: Start) => {
    if (startedCount === 0) setImmediate(startNext);
    startedCount += 1;
    run();
  };
  const startNext = () => {
    startedCount = 0;
    while (startedCount < startsPerIteration && addresses.size > 0) start(takeFirst(addresses));
  };
  return (request, response, next) => {
    if (addresses.size === 0 && startedCount < startsPerIteration) return start(next);
    const { socket } = request;
    const waiting = waitingCounts.get(socket) ?? 0;
    if (waiting === WAITING_PER_CONNECTION) return answerError(tooManyWaiting(), request, response);
    waitingCounts.set(socket, waiting + 1);
    const run = () => {
      waitingCounts.set(socket, waitingCounts.get(socket)! - 1);
      if (!response.closed) next();
    };
    const address = network(request.ip);
    const tokens = addresses.get(address) ?? new Map<string, Start[]>();
    addresses.set(address, tokens);
    const token = request.headers.authorization ?? '';
    const queue = tokens.get(token) ?? [];
    tokens.set(token, queue);
    queue.push(AsyncLocalStorage.bind(run));
  };
}

/** Removes the first request of the first token of the first address, and moves both to the end. */
function takeFirst(addresses: Map<string, Map<string, Start[]>>): Start {
  const [address, tokens] = addresses.entries().next().value!;
  const [token, queue] = tokens.entries().next().value!;
  const first = queue.shift()!;
  tokens.delete(token);
  if (queue.length > 0) tokens.set(token, queue);
  addresses.delete(address);
  if (tokens.size > 0) addresses.set(address, tokens);
  return first;
}

/** The refusal of a request while many of the same client wait. */
export const tooManyWaiting = () =>
  new AppError('RATE_LIMITED', 'Too many of your requests are waiting. Try again in a second.', {
    retryAfterSeconds: 1,
  });
