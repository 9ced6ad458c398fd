import { useQuery } from '@tanstack/react-query';
import type { PublicConfig } from '#libs/contract/config.js';
import { unchecked, publicHttp } from '../http/http';
import { queryKeys } from '../http/query-keys';

/** What the client needs before anybody signs in; it changes only with a restart of the server. */
export function useConfig() {
  return useQuery({
    queryKey: queryKeys.config,
    queryFn: ({ signal }) => publicHttp.get('/api/config', unchecked<PublicConfig>(), { signal }),
    staleTime: Infinity,
  });
}
