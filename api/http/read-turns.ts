import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { bulkhead, isBulkheadRejectedError, type BulkheadPolicy } from 'cockatiel';
import type { Response } from 'express';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import { AppError } from '#libs/contract/errors.js';
import { network } from './rate-limits.js';
import { READ, type AuthenticatedRequest } from './route.js';
import { UnsentAnswers } from './unsent-answers.js';

/** Reads at work. With two searches at most (libs/creations/searches.ts), they leave connections of the pool to writes. */
const AT_ONCE = 6;
/** Reads of one caller that are at work or next: one caller alone never has all turns. */
const TURNS_PER_CALLER = 4;
/** Reads of one user, or of one address without a user, that wait for a turn. */
const WAITING_PER_CALLER = 100;
const RETRY_AFTER_SECONDS = 1;

/**
 * Runs the routes that read few at a time, and of one caller at most as many, so that the reads of one user keep no
 * connection of the pool from the others. Further reads wait, each caller's in a line of its own.
 */
@Injectable()
export class ReadTurns implements NestInterceptor {
  private readonly unsent = new UnsentAnswers();
  private readonly all = bulkhead(AT_ONCE, Infinity);
  private readonly callers = new Map<string, { turns: BulkheadPolicy; reads: number }>();

  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, handler: CallHandler): Observable<unknown> {
    if (!this.reflector.get<boolean>(READ, context.getHandler())) return handler.handle();
    const request = context.switchToHttp().getRequest<Partial<AuthenticatedRequest>>();
    // Searches have limits of their own.
    if (request.query?.['search'] !== undefined) return handler.handle();
    const key = request.caller?.userId ?? network(request.ip);
    const response = context.switchToHttp().getResponse<Response>();
    return defer(() =>
      this.run(key, () => {
        if (this.unsent.isTooMuch(key)) throw tooMany('Earlier answers to you are not read yet.');
        this.unsent.count(key, response);
        return lastValueFrom(handler.handle());
      }),
    );
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
      throw tooMany('Too many of your requests are waiting.');
    } finally {
      caller.reads -= 1;
      if (caller.reads === 0) this.callers.delete(key);
    }
  }
}

const tooMany = (why: string) =>
  new AppError('RATE_LIMITED', `${why} Try again in a second.`, { retryAfterSeconds: RETRY_AFTER_SECONDS });
