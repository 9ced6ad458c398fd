import { LimitExceeded } from '#libs/contract/errors.js';
import type { Resume } from '#libs/local-engine/resume/resume.js';
import { ThreadPool } from '#libs/local-engine/threads/thread-pool.js';
import type * as tasks from './thread.js';

/** One thread for the whole process, since the checker takes 0.3 GB. It ends when idle. */
const threads = new ThreadPool({ heapMb: 384, cpuMs: 25_000, threads: 1 });

const onThread = threads.tasks<typeof tasks>(
  import.meta.resolve('#libs/local-engine/proofreading/thread.js'),
);

/** Null where the checker does not load, or takes too long. @throws the signal's reason */
export const proofreadText = (text: string, signal: AbortSignal) =>
  onThread('proofreadText', { text }, signal).catch(nullForLimit);

export const proofreadResume = (resume: Resume, signal: AbortSignal) =>
  onThread('proofreadResume', { resume }, signal).catch(nullForLimit);

function nullForLimit(error: unknown): null {
  if (error instanceof LimitExceeded) return null;
  throw error;
}
