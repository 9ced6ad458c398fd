import { ThreadPool } from './thread-pool.js';

/** The threads that all text tools share. The largest accepted texts take about two seconds. */
export const textThreads = new ThreadPool({ heapMb: 256, cpuMs: 8_000 });
