import { ThreadPool } from './thread-pool.js';

export const textThreads = new ThreadPool({ heapMb: 512 });
