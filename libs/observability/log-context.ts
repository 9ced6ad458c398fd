import { AsyncLocalStorage } from 'node:async_hooks';

/** The ids of the current request or job, which each log line has. */
export interface LogContext {
  requestId?: string;
  userId?: string;
  jobId?: string;
  tool?: string;
  attempt?: number;
  traceId?: string;
}

const contexts = new AsyncLocalStorage<LogContext>();

/** Runs `run` with these ids in addition to those of the current context. */
export const withLogContext = <T>(ids: LogContext, run: () => T): T =>
  contexts.run({ ...contexts.getStore(), ...ids }, run);

export const logContext = (): Readonly<LogContext> => contexts.getStore() ?? {};

/** Adds ids to the current context. Does nothing outside of a context. */
export function addToLogContext(ids: LogContext): void {
  Object.assign(contexts.getStore() ?? {}, ids);
}
