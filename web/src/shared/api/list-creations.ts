import { useQuery } from '@tanstack/react-query';
import { creationRoutes } from '#libs/contract/routes/creations.js';
import { call } from './call';
import { queryKeys } from '../http/query-keys';
import { useHttp } from '../session/use-http';

export function useCreations() {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.creations,
    queryFn: async ({ signal }) => (await call(http, creationRoutes.listCreations, { signal })).creations,
  });
}
