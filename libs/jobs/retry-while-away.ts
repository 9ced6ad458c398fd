import { ExponentialBackoff, handleWhen, noJitterGenerator, retry } from 'cockatiel';
import { isDatabaseUnavailable, isDeadlock } from '#libs/database/sql.js';
import { StoreError } from '#libs/storage/object-store.js';

const RETRY_FOR_MS = 60_000;

/** Runs a write, again and again for a minute while the database or the file store is away. A deadlock passes as well. */
export function retryWhileAway<Result>(write: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  const until = performance.now() + RETRY_FOR_MS;
  const isAway = (error: unknown) =>
    error instanceof StoreError || isDatabaseUnavailable(error) || isDeadlock(error);
  return retry(
    handleWhen((error) => isAway(error) && performance.now() < until && !signal?.aborted),
    {
      maxAttempts: Infinity,
      backoff: new ExponentialBackoff({
        initialDelay: 100,
        maxDelay: 2_000,
        generator: noJitterGenerator,
      }),
    },
  ).execute(write, signal);
}
