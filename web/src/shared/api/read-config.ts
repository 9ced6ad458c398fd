import { useQuery } from '@tanstack/react-query';
import type { PublicConfig } from '#libs/contract/config.js';
import { skipValidation, publicHttp } from '../http/http';
import { queryKeys } from '../http/query-keys';

/** The public configuration. It changes only when the server restarts. */
export function useConfig() {
  return useQuery({
    queryKey: queryKeys.config,
    queryFn: ({ signal }) => publicHttp.get('/api/config', skipValidation<PublicConfig>(), { signal }),
    staleTime: Infinity,
  });
}
