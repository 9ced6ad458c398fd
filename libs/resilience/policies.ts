import { timeout, TimeoutStrategy } from 'cockatiel';

/** Milliseconds that a service has to let a program's connections go; the end of the process closes them in any case. */
const CLOSE_WITHIN = 500;

/** Drops the outcome of a call that takes longer. @throws TaskCancelledError after `milliseconds` */
export const settleWithin = <T>(milliseconds: number, call: () => PromiseLike<T>): Promise<T> =>
  timeout(milliseconds, TimeoutStrategy.Aggressive).execute(call);

/** Waits for a service to close while the program stops, at most {@link CLOSE_WITHIN}. Never rejects: the program goes on stopping. */
export const waitForClose = (
  close: () => PromiseLike<unknown>,
  onError: (error: Error) => void = () => undefined,
): Promise<void> => settleWithin(CLOSE_WITHIN, close).then(() => undefined, onError);
