import { timeout, TimeoutStrategy } from 'cockatiel';

/** Milliseconds that a service has to let a program's connections go; the end of the process closes them in any case. */
export const CLOSE_WITHIN = 500;

/** Drops the outcome of a call that takes longer. @throws TaskCancelledError after `milliseconds` */
export const settleWithin = <T>(milliseconds: number, call: () => PromiseLike<T>): Promise<T> =>
  timeout(milliseconds, TimeoutStrategy.Aggressive).execute(call);
