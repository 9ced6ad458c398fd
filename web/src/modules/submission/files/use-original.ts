import { useQuery } from '@tanstack/react-query';
import type { Creation } from '#libs/contract/creations.js';
import { useBatchOf, useCreation } from '../../creations/api/creation-pages';
import { useCreationFile } from '../../creations/use-creation-file';
import { useSentImage } from '../../runs/jobs/sent-images';
import { fetchFile } from '../../../shared/http/http';
import { queryKeys } from '../../../shared/http/query-keys';

/**
 * The original of a cut-out: from this browser's storage, from its batch, or from the creation that the cut-out was made
 * from. Null if none has it, undefined while it is loading.
 */
export function useOriginal(creation: Creation | undefined): Blob | null | undefined {
  const sent = useSentImage(creation?.jobId ?? null);
  const stored = sent && sent.image;
  const isMissing = creation !== undefined && stored === null;
  const batch = useBatchOf(isMissing ? creation.id : null);
  const ofBatch = useOriginalFile(batch.data?.original ?? null);
  const source = useCreation(isMissing ? creation.madeFrom : null);
  const file = useCreationFile(isMissing ? source.data : undefined);
  if (creation === undefined || stored === undefined) return undefined;
  if (stored !== null) return stored;
  if (batch.isPending || (batch.data?.original != null && ofBatch.isPending)) return undefined;
  if (ofBatch.data !== undefined) return ofBatch.data;
  if (creation.madeFrom === null) return null;
  const isNotFound = source.isError || file.isError || (source.data && source.data.type !== 'image');
  return file.data ?? (isNotFound ? null : undefined);
}

function useOriginalFile(url: string | null) {
  return useQuery({
    queryKey: queryKeys.creationFile(url ?? ''),
    enabled: url !== null,
    staleTime: Infinity,
    queryFn: ({ signal }) => fetchFile(url ?? '', signal),
  });
}
