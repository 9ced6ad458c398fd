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
/** Reads of one caller that are at work or next: one caller alone never has all turns. */
const TURNS_PER_CALLER = 4;
/** Reads of one user, or of one address without a user, that wait for a turn. */
const WAITING_PER_CALLER = 100;

/**
 * Runs the routes that read few at a time, and of one caller at most as many, so that the reads of one user keep no
 * connection of the pool from the others. Further reads wait, each caller's in a line of its own.
 */
export class ReadTurns implements NestInterceptor {
  private readonly all = bulkhead(AT_ONCE, Infinity);
  private readonly callers = new Map<string, { turns: BulkheadPolicy; reads: number }>();

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
      turns: bulkhead(TURNS_PER_CALLER, WAITING_PER_CALLER),
      reads: 0,
    };
    this.callers.set(key, caller);
    caller.reads += 1;
    try {
      return await caller.turns.execute(() => this.all.execute(read));
    } catch (error) {
      if (!isBulkheadRejectedError(error)) throw error;
      throw tooManyWaiting();
    } finally {
      caller.reads -= 1;
      if (caller.reads === 0) this.callers.delete(key);
    }
  }
}
