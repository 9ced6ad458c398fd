import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SavedSearch } from '#libs/contract/creations.js';
import { savedSearchRoutes } from '#libs/contract/routes/saved-searches.js';
import { queryKeys } from '../../../shared/http/query-keys';
import { useHttp } from '../../../shared/account/use-http';
import { call } from '../../../shared/http/call';

/** Searches that the user saved, oldest first. */
export function useSavedSearches() {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.savedSearches,
    queryFn: async ({ signal }) =>
      (await call(http, savedSearchRoutes.listSavedSearches, { signal })).searches,
  });
}

export function useSaveSearch() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: Pick<SavedSearch, 'name' | 'filter'>) =>
      (await call(http, savedSearchRoutes.saveSearch, { body })).search,
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.savedSearches }),
  });
}

/** Renames a saved search, or deletes it if the name is null. */
export function useChangeSearch() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, name }: { id: string; name: string | null }) => {
      if (name === null) await call(http, savedSearchRoutes.deleteSavedSearch, { params: { id } });
      else await call(http, savedSearchRoutes.renameSavedSearch, { params: { id }, body: { name } });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.savedSearches }),
  });
}
