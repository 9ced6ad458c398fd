import { ThreadPool } from './thread-pool.js';

/** The threads that all tools for texts share. The largest texts that they accept take about two seconds. */
export const textThreads = new ThreadPool({ heapMb: 512, cpuMs: 8_000 });
