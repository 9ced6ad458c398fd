import { Injectable } from '@nestjs/common';
import { bulkhead, isBulkheadRejectedError, type BulkheadPolicy } from 'cockatiel';
import { DataSource } from 'typeorm';
import { AppError } from '#libs/contract/errors.js';
import { limitedRead } from '#libs/database/limited-read.js';
import { isStatementEnded, type Transaction } from '#libs/database/sql.js';

/** Time limit of a search in milliseconds. Searching 20 MB of text takes about 200 ms. */
const SEARCH_MS = 2_000;
/** Maximum number of waiting searches of a user: from several tabs, or searches that the client is about to cancel. */
const WAITING_PER_USER = 3;
/**
 * Maximum number of running and of waiting searches of all users. The limits keep connections of the pool free for
 * other requests.
 */
const AT_ONCE = 2;
const WAITING = 6;

/**
 * Runs searches with a time limit: one at a time per user, and few in total. If the client disconnects, its search is
 * cancelled.
 */
@Injectable()
export class Searches {
  private readonly all = bulkhead(AT_ONCE, WAITING);
  private readonly users = new Map<string, { turns: BulkheadPolicy; calls: number }>();

  constructor(private readonly dataSource: DataSource) {}

  /** @throws AppError RATE_LIMITED if the user has too many searches; UNAVAILABLE after the time limit */
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
        throw busy('Many searches are running now. Try again in a moment.', error);
      if (isStatementEnded(error))
        throw busy('This search took too long. Try again, or search for other words.', error);
      throw error;
    }
  }
}

const busy = (message: string, cause: unknown) =>
  new AppError('UNAVAILABLE', message, { cause, retryAfterSeconds: 2 });
