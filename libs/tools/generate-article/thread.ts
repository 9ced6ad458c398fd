import { citeSources, type SourcedArticle } from './sources.js';

// The entry of a text thread (see thread-pool.ts): each exported function is a task.

export const cite = ({
  article,
  sources,
  asked,
}: {
  article: string;
  sources: string;
  asked: string;
}): SourcedArticle => citeSources(article, sources, asked);
