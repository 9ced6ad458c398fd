import { LimitExceeded } from '#libs/contract/errors.js';
import type { Resume } from '#libs/local-engine/resume/resume.js';
import { ThreadPool } from '#libs/local-engine/threads/thread-pool.js';
import type * as tasks from './thread.js';

/** One thread for the whole process, since the checker takes 0.3 GB. It ends when idle. */
const threads = new ThreadPool({ heapMb: 384, cpuMs: 8_000, threads: 1 });
/** Milliseconds after which a result goes without. Texts of others may be before it, and a busy machine loads slowly. */
const WAIT_MS = 30_000;

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

async function inTime<T>(signal: AbortSignal, read: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
  const timeout = AbortSignal.timeout(WAIT_MS);
  try {
    return await read(AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (!signal.aborted && (timeout.aborted || error instanceof LimitExceeded)) return null;
    throw error;
  }
}
