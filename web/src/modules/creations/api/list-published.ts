import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Report } from '#libs/contract/moderation.js';
import { communityRoutes } from '#libs/contract/routes/community.js';
import { call } from '../../../shared/http/call';
import { queryKeys } from '../../../shared/http/query-keys';
import { useHttp } from '../../../shared/account/use-http';

export function usePublished() {
  const http = useHttp();
  return useInfiniteQuery({
    queryKey: queryKeys.published,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call(http, communityRoutes.listPublishedCreations, {
        query: { cursor: pageParam || undefined },
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

export function useToggleLike() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(http, communityRoutes.toggleLike, { body: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.published }),
  });
}

export function useReportPicture() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string } & Report) =>
      call(http, communityRoutes.reportPicture, { params: { id }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.published }),
  });
}
