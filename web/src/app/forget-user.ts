import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../shared/http/query-keys';
import { forgetChats } from '../features/tools/chat-with-pdf/chat-cache-names';
import { drafts } from '../shared/drafts/drafts';
import { fileDrafts } from '../shared/drafts/file-drafts';

const impersonal: unknown[] = [...queryKeys.config, ...queryKeys.session];

/**
 * Drops everything personal that this tab holds, and the files of its forms; what is public stays. Who did not leave,
 * but was signed out by time, finds what was typed again: `keepDrafts`.
 */
export function forgetUser(queries: QueryClient, { keepDrafts = false } = {}): void {
  queries.removeQueries({ predicate: ({ queryKey }) => !impersonal.includes(queryKey[0]) });
  forgetChats();
  if (keepDrafts) return;
  drafts.forgetAll();
  void fileDrafts.forgetAll();
}
