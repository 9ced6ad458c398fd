import { ExponentialBackoff, handleWhen, noJitterGenerator, retry } from 'cockatiel';
import { isDatabaseUnavailable, isDeadlock } from '#libs/database/sql.js';
import { StoreError } from '#libs/storage/object-store.js';

const RETRY_FOR_MS = 60_000;

/** Runs a write and retries it for up to a minute if the database or file store is unavailable, or after a deadlock. */
export function retryWhileUnavailable<Result>(
  write: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const until = performance.now() + RETRY_FOR_MS;
  const isTemporary = (error: unknown) =>
    error instanceof StoreError || isDatabaseUnavailable(error) || isDeadlock(error);
  return retry(
    handleWhen((error) => isTemporary(error) && performance.now() < until && !signal?.aborted),
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
