import { ThreadPool } from '#libs/local-engine/threads/thread-pool.js';
import { takeImageMemory } from './image-memory.js';
import type * as tasks from './thread.js';

const threads = new ThreadPool({ heapMb: 1024 });
const run = threads.tasks<typeof tasks>(import.meta.resolve('#libs/local-engine/images/thread.js'));

/**
 * Runs a task of `thread.ts` once there is memory for it; its progress is the name of each step as the step begins.
 * The memory of an aborted task counts until its thread has ended.
 */
export const onImageThread: typeof run = async (name, input, signal, onProgress, onAsk) => {
  const {
    bytes,
    mask = null,
    answer,
  } = input as {
    bytes: Uint8Array;
    mask?: Uint8Array | null;
    answer?: Uint8Array;
  };
  const giveBack = await takeImageMemory(bytes, mask, answer !== undefined, signal);
  try {
    return await run(name, input, signal, onProgress, onAsk);
  } finally {
    void threads.abortedThreadsEnded().finally(giveBack);
  }
};
