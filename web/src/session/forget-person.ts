import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../api/query-keys';
import { drafts } from './drafts';

const impersonal: unknown[] = [...queryKeys.config, ...queryKeys.session];

/** Drops everything personal that this tab holds; what is public stays. */
export function forgetPerson(queries: QueryClient): void {
  queries.removeQueries({ predicate: ({ queryKey }) => !impersonal.includes(queryKey[0]) });
  drafts.forgetAll();
}
