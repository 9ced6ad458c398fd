import { LimitExceeded } from '#libs/contract/errors.js';
import type { Resume } from '#libs/local-engine/resume/resume.js';
import { ThreadPool } from '#libs/local-engine/threads/thread-pool.js';
import { untilAborted } from '#libs/resilience/until-aborted.js';
import type * as tasks from './thread.js';

/** One thread for the whole process, since the checker takes 0.3 GB. It ends when idle. */
const threads = new ThreadPool({ heapMb: 384, cpuMs: 8_000, threads: 1 });
/** Milliseconds after which a result goes without: texts of others may be before it. */
const WAIT_MS = 30_000;
/** Milliseconds that a result waits for the checker to be loaded: a busy machine needs them. */
const LOADING_MS = 120_000;

const onThread = threads.tasks<typeof tasks>(
  import.meta.resolve('#libs/local-engine/proofreading/thread.js'),
);

/** Null where the checker does not load, or takes too long. @throws the signal's reason */
export const proofreadText = (text: string, signal: AbortSignal) =>
  inTime(signal, (limit) => onThread('proofreadText', { text }, limit));

/** The same, with each fault put right. */
export const correctText = (text: string, signal: AbortSignal) =>
  inTime(signal, (limit) => onThread('correctText', { text }, limit));

export const proofreadResume = (resume: Resume, signal: AbortSignal) =>
  inTime(signal, (limit) => onThread('proofreadResume', { resume }, limit));

let loading: Promise<unknown> | undefined;

/**
 * Loads the checker on a new thread, where there is none. No signal ends the loading: on a machine too busy to load it within
 * a job's time, each job would begin anew.
 */
async function loadChecker(): Promise<void> {
  if (threads.isEmpty)
    loading ??= onThread('loadChecker', {}, new AbortController().signal)
      // The task that follows fails by itself.
      .catch(() => undefined)
      .finally(() => (loading = undefined));
  await loading;
}

async function inTime<T>(signal: AbortSignal, read: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
  signal.throwIfAborted();
  let timeout = AbortSignal.timeout(LOADING_MS);
  try {
    await untilAborted(loadChecker(), AbortSignal.any([signal, timeout]));
    timeout = AbortSignal.timeout(WAIT_MS);
    return await read(AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (!signal.aborted && (timeout.aborted || error instanceof LimitExceeded)) return null;
    throw error;
  }
}
