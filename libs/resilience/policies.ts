import { timeout, TimeoutStrategy } from 'cockatiel';

/**
 * Runs a call that has `milliseconds` to settle. A slower call goes on, and its outcome is dropped.
 * @throws TaskCancelledError after that time
 */
export const settleWithin = <T>(milliseconds: number, call: () => PromiseLike<T>): Promise<T> =>
  timeout(milliseconds, TimeoutStrategy.Aggressive).execute(call);
