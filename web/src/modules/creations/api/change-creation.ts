import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Creation, OwnCreations, Publication } from '#libs/contract/creations.js';
import { communityRoutes } from '#libs/contract/routes/community.js';
import { creationRoutes } from '#libs/contract/routes/creations.js';
import { call } from '../../../shared/http/call';
import type { CreationPages } from './creation-pages';
import { refreshCreations } from './refresh-creations';
import { queryKeys } from '../../../shared/http/query-keys';
import { downloadFrom } from '../../../shared/lib/save-file';
import { sameOriginUrl } from '../../../shared/lib/same-origin-url';
import { useHttp } from '../../../shared/account/use-http';

/**
 * Returns a function that refetches all lists of creations and the account's storage use, without waiting for the responses.
 * Its parameter has the IDs of the changed creations.
 */
export function useInvalidateCreations() {
  const http = useHttp();
  const queries = useQueryClient();
  return (ids: readonly string[] = []): void => {
    void refreshCreations(queries, http, ids);
    void queries.invalidateQueries({ queryKey: queryKeys.published });
    void queries.invalidateQueries({ queryKey: queryKeys.account });
  };
}

/** Deletes creations and resolves to the IDs of the deleted creations. The lists are updated optimistically. */
export function useDeleteCreations() {
  const http = useHttp();
  const queries = useQueryClient();
  const refetchCreations = useInvalidateCreations();
  return useMutation({
    mutationFn: (creations: readonly Creation[]) =>
      call(http, creationRoutes.deleteCreations, { body: { ids: creations.map(({ id }) => id) } }),
    onMutate: async (creations) => {
      const putBack = await beginChange(queries);
      queries.setQueriesData<CreationPages>({ queryKey: queryKeys.creationLists }, (data) =>
        data === undefined ? data : { ...data, pages: data.pages.map((page) => without(page, creations)) },
      );
      return putBack;
    },
    onError: (_error, _creations, putBack) => putBack?.(),
    onSettled: (_answer, _error, creations) => refetchCreations(creations.map(({ id }) => id)),
  });
}

/**
 * Prepares an optimistic update.
 * @returns a function that restores the lists, since a refetch may fail without a connection
 */
async function beginChange(queries: QueryClient): Promise<() => void> {
  await queries.cancelQueries({ queryKey: queryKeys.creations });
  const before = queries.getQueriesData({ queryKey: queryKeys.creations });
  return () => {
    for (const [key, data] of before) queries.setQueryData(key, data);
  };
}

function without(page: OwnCreations, deleted: readonly Creation[]): OwnCreations {
  const ids = new Set(deleted.map(({ id }) => id));
  const counts = { ...page.counts };
  for (const { type } of deleted) counts[type] = Math.max(0, (counts[type] ?? 1) - 1);
  return {
    ...page,
    creations: page.creations.filter(({ id }) => !ids.has(id)),
    total: page.total - ids.size,
    counts,
  };
}

/** Renames a creation, or marks it as a favourite. The lists are updated optimistically. */
export function useRenameCreation() {
  const http = useHttp();
  const queries = useQueryClient();
  const refetchCreations = useInvalidateCreations();
  return useMutation({
    // Mutations with the same scope run one after the other, so the last change wins.
    scope: { id: 'rename-creation' },
    mutationFn: ({ id, ...body }: RenamedCreation) =>
      call(http, creationRoutes.renameCreation, { params: { id }, body }),
    onMutate: async ({ id, ...change }) => {
      const putBack = await beginChange(queries);
      updateCachedCreations(queries, [id], (creation) => ({ ...creation, ...change }));
      return putBack;
    },
    onError: (_error, _change, putBack) => putBack?.(),
    onSettled: (_answer, _error, { id }) => refetchCreations([id]),
  });
}

type RenamedCreation = { id: string } & Partial<Pick<Creation, 'name' | 'favourite'>>;

/** Adds a tag to creations or removes it. Resolves to the IDs of the changed creations and the normalized tag. */
export function useTagCreations() {
  const http = useHttp();
  const refetchCreations = useInvalidateCreations();
  return useMutation({
    mutationFn: (body: { ids: string[]; tag: string; add: boolean }) =>
      call(http, creationRoutes.tagCreations, { body }),
    onSettled: (_answer, _error, { ids }) => refetchCreations(ids),
  });
}

/** Changes creations in all cached lists and in the cache of single creations. */
function updateCachedCreations(
  queries: QueryClient,
  ids: readonly string[],
  change: (creation: Creation) => Creation,
) {
  const changed = (creation: Creation) => (ids.includes(creation.id) ? change(creation) : creation);
  queries.setQueriesData<CreationPages>({ queryKey: queryKeys.creationLists }, (data) =>
    data === undefined
      ? data
      : {
          ...data,
          pages: data.pages.map((page) => ({ ...page, creations: page.creations.map(changed) })),
        },
  );
  for (const id of ids)
    queries.setQueryData<Creation>(queryKeys.creation(id), (creation) => creation && change(creation));
}

/** Restores deleted creations. Resolves to the IDs of the restored creations. */
export function useRestoreCreations() {
  const http = useHttp();
  const refetchCreations = useInvalidateCreations();
  return useMutation({
    mutationFn: (ids: string[]) => call(http, creationRoutes.restoreCreations, { body: { ids } }),
    onSettled: (_answer, _error, ids) => refetchCreations(ids),
  });
}

/** Creates a ZIP file of creations and downloads it. Resolves to the number of creations. */
export function useDownloadZip() {
  const http = useHttp();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const { url, count } = await call(http, creationRoutes.zipCreations, { body: { ids: [...ids] } });
      downloadFrom(sameOriginUrl(url));
      return count;
    },
  });
}

export function usePublishCreation() {
  const http = useHttp();
  const refetchCreations = useInvalidateCreations();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string } & Publication) =>
      call(http, creationRoutes.publishCreation, { params: { id }, body }),
    onSettled: (_answer, _error, { id }) => refetchCreations([id]),
  });
}

/** Answers the decision that hid or refused a creation. */
export function useAppeal() {
  const http = useHttp();
  const refetchCreations = useInvalidateCreations();
  return useMutation({
    mutationFn: ({ id, text }: { id: string; text: string }) =>
      call(http, communityRoutes.appealModeration, { params: { id }, body: { text } }),
    onSettled: (_answer, _error, { id }) => refetchCreations([id]),
  });
}
