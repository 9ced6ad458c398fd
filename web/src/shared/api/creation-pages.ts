import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { creationSchema, ownCreationsSchema, type OwnCreationsQuery } from '#libs/contract/creations.js';
import { queryKeys } from '../http/query-keys';
import { useHttp } from '../session/use-http';

/** What a list of creations is narrowed by; blank where it is not. */
export type CreationFilter = Pick<OwnCreationsQuery, 'sort'> & { search: string; type: string };

const AT_ONCE = 24;

/** The user's creations that a filter finds, page by page; those of the filter before until they are there. */
export function useCreationPages(filter: CreationFilter) {
  const http = useHttp();
  return useInfiniteQuery({
    queryKey: queryKeys.creationPages(filter),
    placeholderData: keepPreviousData,
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const parameters = new URLSearchParams({ limit: String(AT_ONCE) });
      for (const [name, value] of Object.entries({ ...filter, cursor: pageParam }))
        if (value !== '') parameters.set(name, value);
      return http.get(`/api/user/get-user-creations?${parameters}`, ownCreationsSchema, { signal });
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

const oneSchema = z.object({ creation: creationSchema });

/** One creation, or undefined while none is asked for. */
export function useCreation(id: string | null) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.creation(id ?? ''),
    enabled: id !== null,
    queryFn: async ({ signal }) =>
      (await http.get(`/api/user/creations/${id}`, oneSchema, { signal })).creation,
  });
}
