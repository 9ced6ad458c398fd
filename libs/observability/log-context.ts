import { AsyncLocalStorage } from 'node:async_hooks';

/** Ids of the current request or job. Added to each log line. */
export interface LogContext {
  requestId?: string;
  userId?: string;
  apiKeyId?: string;
  jobId?: string;
  tool?: string;
  attempt?: number;
  traceId?: string;
  /** Error code of a refused request. */
  code?: string;
}

const contexts = new AsyncLocalStorage<LogContext>();

/** Calls `run` with these ids added to the current context. */
export const withLogContext = <T>(ids: LogContext, run: () => T): T =>
  contexts.run({ ...contexts.getStore(), ...ids }, run);

export const logContext = (): Readonly<LogContext> => contexts.getStore() ?? {};

/** Adds ids to the current context. Has no effect outside of {@link withLogContext}. */
export function addToLogContext(ids: LogContext): void {
  Object.assign(contexts.getStore() ?? {}, ids);
}
