import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  MAX_CREATIONS_LISTED,
  type Creation,
  type OwnCreationsQuery,
  type SavedFilter,
} from '#libs/contract/creations.js';
import { creationRoutes } from '#libs/contract/routes/creations.js';
import { call } from './call';
import { queryKeys } from '../http/query-keys';
import { useHttp } from '../session/use-http';

/** Blank fields do not filter. */
export type CreationFilter = SavedFilter & Pick<OwnCreationsQuery, 'sort'>;

const FIRST_PAGE = 24;
const NEXT_PAGES = 100;

/** The user's creations, filtered and paged; those of the previous filter until they are loaded. */
export function useCreationPages(filter: CreationFilter) {
  const http = useHttp();
  return useInfiniteQuery({
    queryKey: queryKeys.creationPages(filter),
    placeholderData: keepPreviousData,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: pageParam === '' ? FIRST_PAGE : NEXT_PAGES,
        search: filter.search || undefined,
        type: filter.type || undefined,
        tag: filter.tag || undefined,
        favourite: filter.favourite ? 'true' : undefined,
        sort: filter.sort,
        cursor: pageParam || undefined,
      };
      return call(http, creationRoutes.listCreations, { query, signal });
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** All tags of the user's creations. */
export function useKnownTags(): readonly string[] {
  const http = useHttp();
  const { data } = useQuery({
    queryKey: queryKeys.creationTags,
    queryFn: async ({ signal }) =>
      (await call(http, creationRoutes.listCreations, { query: { limit: 1 }, signal })).tags,
  });
  return data ?? [];
}

export function useCreation(id: string | null) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.creation(id ?? ''),
    enabled: id !== null,
    queryFn: async ({ signal }) =>
      (await call(http, creationRoutes.getCreation, { params: { id: id ?? '' }, signal })).creation,
  });
}

/** What a creation was made from, the nearest first. */
export function useSources(id: string | null) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.creationSources(id ?? ''),
    enabled: id !== null,
    queryFn: async ({ signal }) =>
      (await call(http, creationRoutes.getCreation, { params: { id: id ?? '' }, signal })).sources,
  });
}

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
