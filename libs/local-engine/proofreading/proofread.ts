import { LimitExceeded } from '#libs/contract/errors.js';
import type { Resume } from '#libs/local-engine/resume/resume.js';
import { ThreadPool } from '#libs/local-engine/threads/thread-pool.js';
import type * as tasks from './thread.js';

/** One thread for the whole process, since the checker takes 0.3 GB. It ends when idle. */
const threads = new ThreadPool({ heapMb: 384, cpuMs: 8_000, threads: 1 });
/** Milliseconds after which a result goes without: texts of others may be before it. */
const WAIT_MS = 30_000;
/** The same where the checker is to be loaded first, for which a busy machine needs longer. */
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

let loading: Promise<void> | undefined;

/**
 * Waits while the checker loads on a new thread. No signal ends the loading: where a job's patience did, on a machine too
 * busy for it, each job would begin it anew and none ever have it.
 * @throws the signal's reason
 */
async function loaded(signal: AbortSignal): Promise<void> {
  if (threads.isEmpty)
    loading ??= onThread('loadChecker', {}, new AbortController().signal)
      // The task that follows fails by itself.
      .catch(() => undefined)
      .finally(() => (loading = undefined));
  if (!loading) return;
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([loading, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function inTime<T>(signal: AbortSignal, read: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
  const slow = AbortSignal.timeout(LOADING_MS);
  try {
    signal.throwIfAborted();
    await loaded(AbortSignal.any([signal, slow]));
  } catch {
    signal.throwIfAborted();
    return null;
  }
  const timeout = AbortSignal.timeout(WAIT_MS);
  try {
    return await read(AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (!signal.aborted && (timeout.aborted || error instanceof LimitExceeded)) return null;
    throw error;
  }
}
