import { ThreadPool } from '#libs/local-engine/threads/thread-pool.js';
import { takeImageMemory } from './image-memory.js';
import type * as tasks from './thread.js';

const threads = new ThreadPool({ heapMb: 1024 });
const run = threads.tasks<typeof tasks>(import.meta.resolve('#libs/local-engine/images/thread.js'));

type ImageInput = { bytes: Uint8Array; mask?: Uint8Array | null; answer?: Uint8Array };

/**
 * Runs a task of `thread.ts` once there is memory for it. Its progress is the name of each step as the step begins. The
 * memory of an aborted task is released when its thread has ended.
 */
export const onImageThread: typeof run = async (name, input, signal, onProgress, onAsk) => {
  const { bytes, mask = null, answer } = input as ImageInput;
  const release = await takeImageMemory(bytes, mask, answer !== undefined, signal);
  try {
    return await run(name, input, signal, onProgress, onAsk);
  } finally {
    void threads.abortedThreadsEnded().finally(release);
  }
};
