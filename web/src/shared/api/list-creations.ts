import { useQuery } from '@tanstack/react-query';
import { MAX_CREATIONS_LISTED, type Creation } from '#libs/contract/creations.js';
import { creationRoutes } from '#libs/contract/routes/creations.js';
import { call } from './call';
import { queryKeys } from '../http/query-keys';
import { useHttp } from '../session/use-http';

/** The user's latest creations, newest first. */
export function useCreations() {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.creations,
    queryFn: async ({ signal }) => {
      const creations: Creation[] = [];
      let cursor: string | undefined;
      do {
        const limit = MAX_CREATIONS_LISTED - creations.length;
        const page = await call(http, creationRoutes.listCreations, { query: { cursor, limit }, signal });
        creations.push(...page.creations);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined && creations.length < MAX_CREATIONS_LISTED);
      return creations;
    },
  });
}
