import { ThreadPool } from './thread-pool.js';

/** The threads that all tools for texts share. */
export const textThreads = new ThreadPool({ heapMb: 512 });
