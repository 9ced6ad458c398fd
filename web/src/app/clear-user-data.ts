import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../shared/http/query-keys';
import { clearChats } from '../features/tools/chat-with-pdf/chat-cache-keys';
import { drafts } from '../shared/drafts/drafts';
import { fileDrafts } from '../shared/drafts/file-drafts';

const publicKeys: unknown[] = [...queryKeys.config, ...queryKeys.session];

/** Clears a user's data from this tab. @param options.keepDrafts for a user whose session expired */
export function clearUserData(queries: QueryClient, { keepDrafts = false } = {}): void {
  queries.removeQueries({ predicate: ({ queryKey }) => !publicKeys.includes(queryKey[0]) });
  clearChats();
  if (keepDrafts) return;
  drafts.clearAll();
  void fileDrafts.clearAll();
}
