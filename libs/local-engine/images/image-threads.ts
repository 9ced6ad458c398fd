import { ThreadPool } from '#libs/local-engine/threads/thread-pool.js';
import type * as tasks from './thread.js';

/** An image of twelve megapixels takes about 450 MB while it is processed, 54 times its size. */
const threads = new ThreadPool({ heapMb: 1024 });

/** Runs a task of `thread.ts`; its progress is the name of each step as the step begins. */
export const onImageThread = threads.tasks<typeof tasks>(
  import.meta.resolve('#libs/local-engine/images/thread.js'),
);
