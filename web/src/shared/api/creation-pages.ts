import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { creationSchema, ownCreationsSchema, type OwnCreationsQuery } from '#libs/contract/creations.js';
import { queryKeys } from '../http/query-keys';
import { useHttp } from '../session/use-http';

/** Blank fields do not filter. */
export type CreationFilter = Pick<OwnCreationsQuery, 'sort'> & { search: string; type: string };

const PAGE_SIZE = 24;

/** The user's creations, filtered and paged; those of the previous filter until they are loaded. */
export function useCreationPages(filter: CreationFilter) {
  const http = useHttp();
  return useInfiniteQuery({
    queryKey: queryKeys.creationPages(filter),
    placeholderData: keepPreviousData,
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const parameters = new URLSearchParams({ limit: String(PAGE_SIZE) });
      for (const [name, value] of Object.entries({ ...filter, cursor: pageParam }))
        if (value !== '') parameters.set(name, value);
      return http.get(`/api/user/get-user-creations?${parameters}`, ownCreationsSchema, { signal });
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

const oneSchema = z.object({ creation: creationSchema });

export function useCreation(id: string | null) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.creation(id ?? ''),
    enabled: id !== null,
    queryFn: async ({ signal }) =>
      (await http.get(`/api/user/creations/${id}`, oneSchema, { signal })).creation,
  });
}
