import { timeout, TimeoutStrategy } from 'cockatiel';

/** Milliseconds for closing a service's connections. The end of the process closes them in any case. */
const CLOSE_WITHIN = 500;

/** The call's result. @throws TaskCancelledError if the call takes longer than `milliseconds` */
export const settleWithin = <T>(milliseconds: number, call: () => PromiseLike<T>): Promise<T> =>
  timeout(milliseconds, TimeoutStrategy.Aggressive).execute(call);

/** Waits for a service to close during shutdown, at most {@link CLOSE_WITHIN}. Never rejects, so that shutdown continues. */
export const waitForClose = (
  close: () => PromiseLike<unknown>,
  onError: (error: Error) => void = () => undefined,
): Promise<void> => settleWithin(CLOSE_WITHIN, close).then(() => undefined, onError);
