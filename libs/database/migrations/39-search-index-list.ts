import { statements } from './migration.js';

/**
 * Has the trigrams of new texts collected and sorted into the index together: one by one they were half of what the end of
 * a job costs. A search reads the list of those that wait, so it is kept short.
 */
export class SearchIndexList1700000000039 extends statements(
  // In kilobytes: the words of about five articles.
  `ALTER INDEX creations_search SET (fastupdate = on, gin_pending_list_limit = 256)`,
) {}
