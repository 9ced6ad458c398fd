import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { AppError } from '#libs/contract/errors.js';
import { network } from './rate-limits.js';

/** Requests that start in one iteration of the event loop. */
const STARTS_PER_ITERATION = 2;
/** Waiting requests of a connection. Only a client that pipelines has more than one. */
const WAITING_PER_CONNECTION = 16;

type Start = () => void;

/**
 * Starts few requests in an iteration of the event loop, from each address in turn, and from each token of an address in
 * turn, so that a request does not wait for hundreds of another client.
 */
export class RequestQueue {
  private readonly addresses = new Map<string, Map<string, Start[]>>();
  private readonly waitingCounts = new WeakMap<Socket, number>();
  private readonly refused = new WeakSet<Request>();
  private startedCount = 0;

  constructor(private readonly startsPerIteration = STARTS_PER_ITERATION) {}

  /** Must be the first handler, so that a request that waits has cost little. */
  readonly wait: RequestHandler = (request, response, next) => {
    if (this.addresses.size === 0 && this.startedCount < this.startsPerIteration) return this.start(next);
    const { socket } = request;
    const waiting = this.waitingCounts.get(socket) ?? 0;
    if (waiting === WAITING_PER_CONNECTION) {
      this.refused.add(request);
      return next();
    }
    this.waitingCounts.set(socket, waiting + 1);
    this.add(request, () => {
      this.waitingCounts.set(socket, this.waitingCounts.get(socket)! - 1);
      if (!response.closed) next();
    });
  };

  /** Follows the handlers that answers need, such as the request log. */
  readonly refuse: RequestHandler = (request, _response, next) =>
    this.refused.has(request) ? next(tooManyWaiting()) : next();

  private add({ ip, headers }: Request, run: Start): void {
    const address = network(ip);
    const tokens = this.addresses.get(address) ?? new Map<string, Start[]>();
    this.addresses.set(address, tokens);
    const token = headers.authorization ?? '';
    const queue = tokens.get(token) ?? [];
    tokens.set(token, queue);
    queue.push(AsyncLocalStorage.bind(run));
  }

  private start(run: Start): void {
    if (this.startedCount === 0) setImmediate(this.startNext);
    this.startedCount += 1;
    run();
  }

  private readonly startNext = (): void => {
    this.startedCount = 0;
    while (this.startedCount < this.startsPerIteration && this.addresses.size > 0)
      this.start(takeFirst(this.addresses));
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
