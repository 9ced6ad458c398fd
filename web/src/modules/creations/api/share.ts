import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Share } from '#libs/contract/sharing.js';
import { creationRoutes } from '#libs/contract/routes/creations.js';
import { queryKeys } from '../../../shared/http/query-keys';
import { useHttp } from '../../../shared/account/use-http';
import { call } from '../../../shared/http/call';

/** Fetches the link by which a text is shared. The data is null if the text is not shared. */
export function useShare(creationId: string) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.creationShare(creationId),
    queryFn: async ({ signal }) =>
      (await call(http, creationRoutes.getShare, { params: { id: creationId }, signal })).share,
  });
}

/** Creates the link, changes whether it shows later edits, or deletes it if the variable is null. Resolves to the link. */
export function useSetShare(creationId: string) {
  const http = useHttp();
  const queries = useQueryClient();
  const params = { id: creationId };
  return useMutation({
    mutationFn: async (change: Pick<Share, 'live'> | null): Promise<Share | null> => {
      if (change) return (await call(http, creationRoutes.setShare, { params, body: change })).share;
      await call(http, creationRoutes.withdrawShare, { params });
      return null;
    },
    onSuccess: (share) => queries.setQueryData(queryKeys.creationShare(creationId), share),
  });
}
