import { keepPreviousData, useInfiniteQuery, useQuery, type InfiniteData } from '@tanstack/react-query';
import {
  MAX_CREATIONS_LISTED,
  type Creation,
  type OwnCreations,
  type OwnCreationsQuery,
  type SavedFilter,
} from '#libs/contract/creations.js';
import { creationRoutes } from '#libs/contract/routes/creations.js';
import { call } from '../../../shared/http/call';
import type { Http } from '../../../shared/http/http';
import { queryKeys } from '../../../shared/http/query-keys';
import { useHttp } from '../../../shared/account/use-http';

/** Filter and order of a list of creations. Blank fields don't filter. */
export type CreationFilter = SavedFilter & Pick<OwnCreationsQuery, 'sort'>;

export type CreationPages = InfiniteData<OwnCreations, string>;

/** Lists with more loaded pages are not refetched as a whole, since each page is a request. See refreshCreations. */
const PAGES_READ_AGAIN = 3;
export const isLongList = (data: CreationPages | undefined) => (data?.pages.length ?? 0) > PAGES_READ_AGAIN;

const FIRST_PAGE = 24;
const NEXT_PAGES = 100;
/** Minimum time between refetches when the window regains the focus. */
const FOCUS_THROTTLE_MS = 5_000;

/** Fetches the user's creations page by page. After a change of the filter, returns the old data until the new arrives. */
export function useCreationPages(filter: CreationFilter) {
  const http = useHttp();
  return useInfiniteQuery({
    queryKey: queryKeys.creationPages(filter),
    placeholderData: keepPreviousData,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => readCreationPage(http, filter, pageParam, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // A long list is updated by events through refreshCreations instead.
    refetchOnMount: ({ state }) => !isLongList(state.data),
    refetchOnWindowFocus: ({ state }) =>
      !isLongList(state.data) && Date.now() - state.dataUpdatedAt > FOCUS_THROTTLE_MS,
  });
}

/** @param cursor `nextCursor` of the previous page; '' for the first page */
export function readCreationPage(http: Http, filter: CreationFilter, cursor: string, signal?: AbortSignal) {
  const query = {
    limit: cursor === '' ? FIRST_PAGE : NEXT_PAGES,
    search: filter.search || undefined,
    type: filter.type || undefined,
    tag: filter.tag || undefined,
    favourite: filter.favourite ? 'true' : undefined,
    sort: filter.sort,
    cursor: cursor || undefined,
  };
  return call(http, creationRoutes.listCreations, { query, signal });
}

/** All tags of the user's creations. */
export function useCreationTags(): readonly string[] {
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

/** The batch that made a creation, with the URL of its original; null if no batch made it. */
export function useBatchOf(id: string | null) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.creationBatch(id ?? ''),
    enabled: id !== null,
    queryFn: async ({ signal }) =>
      (await call(http, creationRoutes.getCreation, { params: { id: id ?? '' }, signal })).batch,
  });
}

/** The creations from which a creation was made, nearest first. */
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
