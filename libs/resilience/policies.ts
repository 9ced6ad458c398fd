import { timeout, TimeoutStrategy } from 'cockatiel';

/** Maximum milliseconds for closing connections to a service. Connections still open are closed when the process ends. */
const CLOSE_WITHIN = 500;

/** Limits the duration of a call. The call itself is not stopped. @throws TaskCancelledError after `milliseconds` */
export const settleWithin = <T>(milliseconds: number, call: () => PromiseLike<T>): Promise<T> =>
  timeout(milliseconds, TimeoutStrategy.Aggressive).execute(call);

/** Waits at most {@link CLOSE_WITHIN} for `close`. Never rejects, so that a shutdown continues. */
export const waitForClose = (
  close: () => PromiseLike<unknown>,
  onError: (error: Error) => void = () => undefined,
): Promise<void> => settleWithin(CLOSE_WITHIN, close).then(() => undefined, onError);
