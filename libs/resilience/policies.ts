import { timeout, TimeoutStrategy } from 'cockatiel';

/** Drops the outcome of a call that takes longer. @throws TaskCancelledError after `milliseconds` */
export const settleWithin = <T>(milliseconds: number, call: () => PromiseLike<T>): Promise<T> =>
  timeout(milliseconds, TimeoutStrategy.Aggressive).execute(call);
