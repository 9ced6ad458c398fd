import { AsyncLocalStorage } from 'node:async_hooks';

/** The job that code works for. */
export interface JobWork {
  userId: string;
  /** CPU time that threads have spent on it, in milliseconds. */
  cpuMs: number;
}

const works = new AsyncLocalStorage<JobWork>();

export const withJobWork = <T>(work: JobWork, run: () => T): T => works.run(work, run);

/** Undefined outside of a job. */
export const currentJobWork = (): JobWork | undefined => works.getStore();

/** @returns a function that takes the CPU time that a task has spent so far, in milliseconds, and adds what is new to its job */
export function countCpuTime(work = currentJobWork()): (spentMs: number) => void {
  let counted = 0;
  return (spentMs) => {
    if (work && spentMs > counted) work.cpuMs += spentMs - counted;
    counted = Math.max(spentMs, counted);
  };
}
