import { LimitExceeded } from '#libs/contract/errors.js';
import type { Resume } from '#libs/local-engine/resume/resume.js';
import { ThreadPool } from '#libs/local-engine/threads/thread-pool.js';
import { untilAborted } from '#libs/resilience/until-aborted.js';
import type * as tasks from './thread.js';

/** One thread for the whole process, since the checker takes 0.3 GB. It ends when idle. */
const threads = new ThreadPool({ heapMb: 384, cpuMs: 8_000, threads: 1 });
/** Milliseconds to wait for a result, since other texts may be first. */
const WAIT_MS = 30_000;
/** Milliseconds to wait until the checker is loaded, enough for a busy machine. */
const LOADING_MS = 120_000;

const onThread = threads.tasks<typeof tasks>(
  import.meta.resolve('#libs/local-engine/proofreading/thread.js'),
);

/** Null if the checker does not load, or takes too long. @throws the signal's reason */
export const proofreadText = (text: string, signal: AbortSignal) =>
  inTime(signal, (limit) => onThread('proofreadText', { text }, limit));

/** The text with each fault corrected; null as for {@link proofreadText}. */
export const correctText = (text: string, signal: AbortSignal) =>
  inTime(signal, (limit) => onThread('correctText', { text }, limit));

export const proofreadResume = (resume: Resume, signal: AbortSignal) =>
  inTime(signal, (limit) => onThread('proofreadResume', { resume }, limit));

let loading: Promise<unknown> | undefined;

/**
 * Loads the checker if no thread has it. No signal ends the loading: otherwise each job would start it anew on a machine that
 * is too busy to finish within a job's time.
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
