import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../api/query-keys';
import { chatCache } from './chat-cache';
import { drafts } from './drafts';
import { fileDrafts } from './file-drafts';

const impersonal: unknown[] = [...queryKeys.config, ...queryKeys.session];

/** Drops everything personal that this tab holds, and the files of its forms; what is public stays. */
export function forgetPerson(queries: QueryClient): void {
  queries.removeQueries({ predicate: ({ queryKey }) => !impersonal.includes(queryKey[0]) });
  drafts.forgetAll();
  chatCache.forgetAll();
  void fileDrafts.forgetAll();
}
