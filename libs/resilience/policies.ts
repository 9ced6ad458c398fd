import { TaskCancelledError } from 'cockatiel';

/** Maximum milliseconds for closing connections to a service. Connections still open are closed when the process ends. */
const CLOSE_WITHIN = 500;

/**
 * Limits the duration of a call. The call itself is not stopped. Not cockatiel's policy, which aborts a signal after each call
 * and so creates a DOMException with a stack.
 * @throws TaskCancelledError after `milliseconds`
 */
export async function settleWithin<T>(milliseconds: number, call: () => PromiseLike<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new TaskCancelledError(`Operation timed out after ${milliseconds}ms`)),
    milliseconds,
  );
  try {
    return await Promise.race([call(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits at most {@link CLOSE_WITHIN} for `close`. Never rejects, so that a shutdown continues. */
export const waitForClose = (
  close: () => PromiseLike<unknown>,
  onError: (error: Error) => void = () => undefined,
): Promise<void> => settleWithin(CLOSE_WITHIN, close).then(() => undefined, onError);

/** Runs steps one after another, each also if one before failed. @throws the first error, after the last step */
export async function runAll(steps: (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
