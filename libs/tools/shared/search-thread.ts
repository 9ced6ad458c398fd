import type * as searchTasks from '#libs/local-engine/pdf-search/thread.js';
import { textThreads } from '#libs/local-engine/threads/text-threads.js';

/** Runs a task of the search in documents on a thread. */
export const onSearchThread = textThreads.tasks<typeof searchTasks>(
  import.meta.resolve('#libs/local-engine/pdf-search/thread.js'),
);
