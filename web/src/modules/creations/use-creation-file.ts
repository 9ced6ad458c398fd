import { useQuery } from '@tanstack/react-query';
import type { Creation } from '#libs/contract/creations.js';
import { shorten } from '#libs/contract/text.js';
import { fetchFile } from '../../shared/http/http';
import { queryKeys } from '../../shared/http/query-keys';

const NAME_MAX_CHARACTERS = 60;

/** Fetches the current image of a creation. Disabled for other types of creations. */
export function useCreationFile(creation: Creation | undefined) {
  const url = creation?.type === 'image' ? creation.content : undefined;
  return useQuery({
    queryKey: queryKeys.creationFile(url ?? ''),
    enabled: url !== undefined,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const image = await fetchFile(url ?? '', signal);
      const name = shorten(creation?.prompt ?? '', NAME_MAX_CHARACTERS);
      const lastModified = Date.parse(creation?.created_at ?? '');
      return new File([image], name, { type: image.type, lastModified });
    },
  });
}
