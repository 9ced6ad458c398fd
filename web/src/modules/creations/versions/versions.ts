import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CreationVersion, NewVersion } from '#libs/contract/creation-versions.js';
import { creationRoutes } from '#libs/contract/routes/creations.js';
import { useIdempotentCall } from '../../runs/jobs/idempotency';
import { useInvalidateCreations } from '../api/change-creation';
import { call, callOnce } from '../../../shared/http/call';
import { queryKeys } from '../../../shared/http/query-keys';
import { useHttp } from '../../../shared/account/use-http';

/** Fetches the versions of a creation, newest first. Disabled if `creationId` is null. */
export function useVersions(creationId: string | null) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.creationVersions(creationId ?? ''),
    enabled: creationId !== null,
    queryFn: async ({ signal }) =>
      (await call(http, creationRoutes.listCreationVersions, { params: { id: creationId ?? '' }, signal }))
        .versions,
  });
}

/** Fetches a version with its content. Disabled if `version` is null. */
export function useVersion(creationId: string, version: string | null) {
  const http = useHttp();
  return useQuery({
    queryKey: [...queryKeys.creationVersions(creationId), version],
    enabled: version !== null,
    queryFn: async ({ signal }) =>
      (
        await call(http, creationRoutes.getCreationVersion, {
          params: { id: creationId, version: version ?? '' },
          signal,
        })
      ).version,
  });
}

/** The cut-out from which compositions start: the current version if it is a cut-out, or else the latest earlier cut-out. */
export function latestCutOut(versions: readonly CreationVersion[]): CreationVersion | undefined {
  const current = versions.find((version) => version.current);
  const cutOuts = versions.filter(({ cutOut }) => cutOut);
  return cutOuts.find(({ number }) => number <= (current?.number ?? Infinity)) ?? cutOuts[0];
}

export interface SavedVersion extends Pick<NewVersion, 'label' | 'base'> {
  image: Blob;
  cutOut?: boolean;
}

/**
 * Saves an edited image as a version. Double clicks and retries save it only once (see idempotency.ts).
 * @throws ApiFailure VERSION_CONFLICT if `base` is no longer the current version
 */
export function useSaveVersion(creationId: string) {
  const http = useHttp();
  const queries = useQueryClient();
  const invalidateCreations = useInvalidateCreations();
  const callIdempotently = useIdempotentCall();
  return useMutation({
    mutationFn: ({ image, label, base, cutOut = false }: SavedVersion) => {
      const body = new FormData();
      body.append('label', label);
      body.append('base', base);
      body.append('cutOut', String(cutOut));
      body.append('image', image, 'image');
      return callIdempotently(JSON.stringify({ label, base, cutOut }), { image }, (key) =>
        callOnce(http, creationRoutes.addCreationVersion, key, { params: { id: creationId }, body }),
      );
    },
    onSuccess: ({ creation }) => queries.setQueryData(queryKeys.creation(creationId), creation),
    onSettled: () => invalidateCreations([creationId]),
  });
}

export function useRestoreVersion(creationId: string) {
  const http = useHttp();
  const queries = useQueryClient();
  const invalidateCreations = useInvalidateCreations();
  return useMutation({
    mutationFn: (version: string) =>
      call(http, creationRoutes.restoreCreationVersion, { params: { id: creationId, version } }),
    onSuccess: ({ creation }) => queries.setQueryData(queryKeys.creation(creationId), creation),
    onSettled: () => invalidateCreations([creationId]),
  });
}

/** Names a version. Unlike other versions, a named version is never replaced by later saves. */
export function useNameVersion(creationId: string) {
  const http = useHttp();
  const queries = useQueryClient();
  const queryKey = queryKeys.creationVersions(creationId);
  return useMutation({
    mutationFn: ({ version, label }: { version: string; label: string }) =>
      call(http, creationRoutes.nameCreationVersion, {
        params: { id: creationId, version },
        body: { label },
      }),
    onSuccess: ({ version }) =>
      queries.setQueryData<CreationVersion[]>(queryKey, (versions) =>
        versions?.map((one) => (one.id === version.id ? version : one)),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
}

export function useDeleteVersion(creationId: string) {
  const http = useHttp();
  const invalidateCreations = useInvalidateCreations();
  return useMutation({
    mutationFn: (version: string) =>
      call(http, creationRoutes.deleteCreationVersion, { params: { id: creationId, version } }),
    onSettled: () => invalidateCreations([creationId]),
  });
}
