import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { bulkhead, isBulkheadRejectedError, type BulkheadPolicy } from 'cockatiel';
import type { Request, Response } from 'express';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import type { Caller } from '#libs/accounts/identity.js';
import { network } from './rate-limits.js';
import { tooManyWaiting } from './request-queue.js';
import { UnsentAnswers } from './unsent-answers.js';

interface BulkheadLimits {
  /** Requests at work. */
  atOnce?: number;
  /** Requests of one address at work. */
  perAddress?: number;
  /** Requests of one user, or of one network without a user, at work. */
  perCaller: number;
  /** Requests of one caller that wait. */
  waitingPerCaller: number;
}

/** A bulkhead for each key that has requests. */
class Bulkheads {
  private readonly inUse = new Map<string, { bulkhead: BulkheadPolicy; requests: number }>();

  constructor(
    private readonly atOnce: number,
    private readonly waiting = Infinity,
  ) {}

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const own = this.inUse.get(key) ?? { bulkhead: bulkhead(this.atOnce, this.waiting), requests: 0 };
    this.inUse.set(key, own);
    own.requests += 1;
    try {
      return await own.bulkhead.execute(work);
    } finally {
      own.requests -= 1;
      if (own.requests === 0) this.inUse.delete(key);
    }
  }
}

/**
 * Limits the requests at work, in all, of each address and of each caller, so that the requests of one user, or of many
 * accounts of one address, keep no connection of the pool from the others. Further requests wait, each caller's in a queue of
 * its own.
 */
export class RequestBulkhead {
  private readonly all: BulkheadPolicy;
  private readonly addresses: Bulkheads;
  private readonly callers: Bulkheads;

  constructor({ atOnce = Infinity, perAddress = atOnce, perCaller, waitingPerCaller }: BulkheadLimits) {
    this.all = bulkhead(atOnce, Infinity);
    this.addresses = new Bulkheads(perAddress);
    this.callers = new Bulkheads(perCaller, waitingPerCaller);
  }

  /**
   * @param address the network of the caller
   * @throws AppError RATE_LIMITED if many requests of the caller wait
   */
  async run<T>(caller: string, address: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.callers.run(caller, () => this.addresses.run(address, () => this.all.execute(work)));
    } catch (error) {
      if (!isBulkheadRejectedError(error)) throw error;
      throw tooManyWaiting();
    }
  }
}

/**
 * Six reads at work, five of one address and two of one caller. With two searches (libs/creations/searches.ts), they leave
 * connections of the pool to writes.
 */
export const reads = new RequestBulkhead({ atOnce: 6, perAddress: 5, perCaller: 2, waitingPerCaller: 40 });

/** Two writes of one caller at work: more would wait for the lock of the user's row, each with a connection of the pool. */
export const writes = new RequestBulkhead({ perCaller: 2, waitingPerCaller: 100 });

/** A request with the user whom the token guard found. */
type CallerRequest = Request & { caller?: Caller };

/** Runs the handlers of routes within a bulkhead. */
export class BulkheadInterceptor implements NestInterceptor {
  /**
   * @param isOutside true for a request that has a limit of its own
   * @param unsent counts the answers to callers without a user; the token guard counts those to users
   */
  constructor(
    private readonly bulkhead: RequestBulkhead,
    private readonly isOutside: (request: Request) => boolean = () => false,
    private readonly unsent = new UnsentAnswers(),
  ) {}

  intercept(context: ExecutionContext, handler: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return defer(() =>
      this.run(http.getRequest<CallerRequest>(), http.getResponse<Response>(), () =>
        lastValueFrom(handler.handle()),
      ),
    );
  }

  /** @throws AppError RATE_LIMITED */
  async run<T>(request: CallerRequest, response: Response, work: () => Promise<T>): Promise<T> {
    const address = network(request.ip);
    if (!request.caller) this.unsent.count(address, response);
    if (this.isOutside(request)) return work();
    return this.bulkhead.run(request.caller?.userId ?? address, address, work);
  }
}

/** True for a request with words to search for. */
export const isSearch = ({ query }: Request): boolean => {
  const { search } = query;
  return typeof search === 'string' && search.trim() !== '';
};
