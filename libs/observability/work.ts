import { AsyncLocalStorage } from 'node:async_hooks';

/** What the process is at work on. It stands on every line of the log that is written meanwhile. */
export interface Work {
  requestId?: string;
  userId?: string;
  jobId?: string;
  tool?: string;
  attempt?: number;
  traceId?: string;
}

const works = new AsyncLocalStorage<Work>();

/** Runs `run` as work of its own, within the work that it is part of, if any. */
export const inWork = <T>(work: Work, run: () => T): T => works.run({ ...works.getStore(), ...work }, run);

export const currentWork = (): Readonly<Work> => works.getStore() ?? {};

/** Adds what became known of the present work: who asks, which job it is about. Outside of any work, nothing. */
export function describeWork(facts: Work): void {
  Object.assign(works.getStore() ?? {}, facts);
}
