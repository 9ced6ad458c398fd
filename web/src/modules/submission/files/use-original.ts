import type { Creation } from '#libs/contract/creations.js';
import { useCreation } from '../../creations/api/creation-pages';
import { useCreationFile } from '../../creations/use-creation-file';
import { useSentImage } from '../../runs/jobs/sent-images';

/**
 * The original of a cut-out, from this browser's storage or from the creation that the cut-out was made from. Null if
 * neither has it, undefined while it is loading.
 */
export function useOriginal({ jobId, madeFrom }: Creation): Blob | null | undefined {
  const sent = useSentImage(jobId);
  const stored = sent && sent.image;
  const source = useCreation(stored === null ? madeFrom : null);
  const file = useCreationFile(stored === null ? source.data : undefined);
  if (stored !== null || madeFrom === null) return stored;
  const isNotFound = source.isError || file.isError || (source.data && source.data.type !== 'image');
  return file.data ?? (isNotFound ? null : undefined);
}
