import { timeout, TimeoutStrategy } from 'cockatiel';

/** Milliseconds that a service has to let a program's connections go; the end of the process closes them in any case. */
const CLOSE_WITHIN = 500;

/** Drops the outcome of a call that takes longer. @throws TaskCancelledError after `milliseconds` */
export const settleWithin = <T>(milliseconds: number, call: () => PromiseLike<T>): Promise<T> =>
  timeout(milliseconds, TimeoutStrategy.Aggressive).execute(call);

/** Waits for what closes while the program stops, and not for a service that hangs. Failing is no reason to stop stopping. */
export const waitForClose = (
  close: () => PromiseLike<unknown>,
  onError: (error: Error) => void = () => undefined,
): Promise<void> => settleWithin(CLOSE_WITHIN, close).then(() => undefined, onError);
