import { Injectable } from '@nestjs/common';
import { bulkhead, isBulkheadRejectedError, type BulkheadPolicy } from 'cockatiel';
import { DataSource } from 'typeorm';
import { AppError } from '#libs/contract/errors.js';
import { limitedRead } from '#libs/database/limited-read.js';
import { isStatementEnded, type Transaction } from '#libs/database/sql.js';

/** Milliseconds that a search may take. Twenty megabytes of text are read in a tenth of that. */
const SEARCH_MS = 2_000;
/** A user's searches that wait for the one that runs: other tabs, and those that a client is about to drop. */
const WAITING_PER_USER = 3;
/** Searches of all users at once, and waiting; the other connections of the pool are for everything else. */
const AT_ONCE = 2;
const WAITING = 6;

/** Runs searches: one of a user and few of all users at once, each for a short time, and none whose client went away. */
@Injectable()
export class Searches {
  private readonly all = bulkhead(AT_ONCE, WAITING);
  private readonly users = new Map<string, { turns: BulkheadPolicy; calls: number }>();

  constructor(private readonly dataSource: DataSource) {}

  /** @throws AppError RATE_LIMITED for too many searches of this user, UNAVAILABLE for one that takes too long */
  async run<T>(userId: string, signal: AbortSignal, read: (database: Transaction) => Promise<T>): Promise<T> {
    const user = this.users.get(userId) ?? { turns: bulkhead(1, WAITING_PER_USER), calls: 0 };
    this.users.set(userId, user);
    user.calls += 1;
    try {
      return await user.turns.execute(() => this.runNext(signal, read), signal);
    } catch (error) {
      if (!isBulkheadRejectedError(error)) throw error;
      throw new AppError('RATE_LIMITED', 'Your earlier searches are still running. Try again in a moment.', {
        retryAfterSeconds: 1,
      });
    } finally {
      user.calls -= 1;
      if (user.calls === 0) this.users.delete(userId);
    }
  }

  private async runNext<T>(signal: AbortSignal, read: (database: Transaction) => Promise<T>): Promise<T> {
    try {
      return await this.all.execute(
        () => limitedRead(this.dataSource, { milliseconds: SEARCH_MS, signal }, read),
        signal,
      );
    } catch (error) {
      if (isBulkheadRejectedError(error))
        throw busy('Many people are searching now. Try again in a moment.', error);
      if (isStatementEnded(error))
        throw busy('This search took too long. Try again, or search for other words.', error);
      throw error;
    }
  }
}

const busy = (message: string, cause: unknown) =>
  new AppError('UNAVAILABLE', message, { cause, retryAfterSeconds: 2 });
