import { citeSources } from './sources.js';

// The entry of a text thread (see thread-pool.ts): each exported function is a task.

/** @param asked the prompt and the points, whose facts the article may have */
export const cite = ({ article, sources, asked }: { article: string; sources: string; asked: string }) =>
  citeSources(article, sources, asked);
