import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { bulkhead, isBulkheadRejectedError, type BulkheadPolicy } from 'cockatiel';
import type { Request, Response } from 'express';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import type { Caller } from '#libs/accounts/identity.js';
import { network } from './rate-limits.js';
import { tooManyWaiting } from './request-queue.js';
import { UnsentAnswers } from './unsent-answers.js';

/** Requests of one user, or of one network without a user, that wait. */
const WAITING_PER_CALLER = 100;

interface BulkheadLimits {
  /** Requests at work. */
  atOnce?: number;
  /** Requests of one caller at work. */
  perCaller: number;
}

/**
 * Limits the requests at work, in all and of each caller, so that the requests of one user keep no connection of the pool from
 * the others. Further requests wait, each caller's in a queue of its own.
 */
export class RequestBulkhead {
  private readonly all: BulkheadPolicy;
  private readonly callers = new Map<string, { bulkhead: BulkheadPolicy; requests: number }>();

  constructor(private readonly limits: BulkheadLimits) {
    this.all = bulkhead(limits.atOnce ?? Infinity, Infinity);
  }

  /** @throws AppError RATE_LIMITED if many requests of the caller wait */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const caller = this.callers.get(key) ?? {
      bulkhead: bulkhead(this.limits.perCaller, WAITING_PER_CALLER),
      requests: 0,
    };
    this.callers.set(key, caller);
    caller.requests += 1;
    try {
      return await caller.bulkhead.execute(() => this.all.execute(work));
    } catch (error) {
      if (!isBulkheadRejectedError(error)) throw error;
      throw tooManyWaiting();
    } finally {
      caller.requests -= 1;
      if (caller.requests === 0) this.callers.delete(key);
    }
  }
}

/**
 * Six reads at work, four of one caller. With two searches (libs/creations/searches.ts), they leave connections of the pool to
 * writes.
 */
export const reads = new RequestBulkhead({ atOnce: 6, perCaller: 4 });

/** Two writes of one caller at work: more would wait for the lock of the user's row, each with a connection of the pool. */
export const writes = new RequestBulkhead({ perCaller: 2 });

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
    const key = request.caller?.userId ?? network(request.ip);
    if (!request.caller) this.unsent.count(key, response);
    return this.isOutside(request) ? work() : this.bulkhead.run(key, work);
  }
}

/** True for a request with words to search for. */
export const isSearch = ({ query }: Request): boolean => {
  const { search } = query;
  return typeof search === 'string' && search.trim() !== '';
};
