import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { bulkhead, isBulkheadRejectedError, type BulkheadPolicy } from 'cockatiel';
import type { Request, Response } from 'express';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import type { Caller } from '#libs/accounts/identity.js';
import { network } from './rate-limits.js';
import { tooManyWaiting } from './request-queue.js';
import type { UnsentAnswers } from './unsent-answers.js';

/** Reads at work. With two searches at most (libs/creations/searches.ts), they leave connections of the pool to writes. */
const AT_ONCE = 6;
/** Reads of one caller at work. One caller alone never has all of {@link AT_ONCE}. */
const AT_ONCE_PER_CALLER = 4;
/** Reads of one user, or of one address without a user, that wait. */
const WAITING_PER_CALLER = 100;

/**
 * Limits the reads at work, in all and of each caller, so that the reads of one user keep no connection of the pool from
 * the others. Further reads wait, each caller's in a queue of its own.
 */
export class ReadBulkhead implements NestInterceptor {
  private readonly all = bulkhead(AT_ONCE, Infinity);
  private readonly callers = new Map<string, { bulkhead: BulkheadPolicy; reads: number }>();

  /** @param unsent counts the answers to callers without a user; the token guard counts those to users */
  constructor(private readonly unsent: UnsentAnswers) {}

  intercept(context: ExecutionContext, handler: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request & { caller?: Caller }>();
    // Searches have limits of their own.
    if (request.query?.['search'] !== undefined) return handler.handle();
    const key = request.caller?.userId ?? network(request.ip);
    if (!request.caller) this.unsent.count(key, context.switchToHttp().getResponse<Response>());
    return defer(() => this.run(key, () => lastValueFrom(handler.handle())));
  }

  private async run<T>(key: string, read: () => Promise<T>): Promise<T> {
    const caller = this.callers.get(key) ?? {
      bulkhead: bulkhead(AT_ONCE_PER_CALLER, WAITING_PER_CALLER),
      reads: 0,
    };
    this.callers.set(key, caller);
    caller.reads += 1;
    try {
      return await caller.bulkhead.execute(() => this.all.execute(read));
    } catch (error) {
      if (!isBulkheadRejectedError(error)) throw error;
      throw tooManyWaiting();
    } finally {
      caller.reads -= 1;
      if (caller.reads === 0) this.callers.delete(key);
    }
  }
}
