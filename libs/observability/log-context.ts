import { AsyncLocalStorage } from 'node:async_hooks';

/** The ids of the request or job that the process works on. Each line of the log has them. */
export interface LogContext {
  requestId?: string;
  userId?: string;
  jobId?: string;
  tool?: string;
  attempt?: number;
  traceId?: string;
}

const contexts = new AsyncLocalStorage<LogContext>();

/** Runs `run` with these ids, beside those of the context that it is called in. */
export const withLogContext = <T>(ids: LogContext, run: () => T): T =>
  contexts.run({ ...contexts.getStore(), ...ids }, run);

export const logContext = (): Readonly<LogContext> => contexts.getStore() ?? {};

/** Adds ids to the present context. Outside of any context it does nothing. */
export function addToLogContext(ids: LogContext): void {
  Object.assign(contexts.getStore() ?? {}, ids);
}
