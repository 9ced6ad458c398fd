import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { voiceRoutes } from '#libs/contract/routes/voices.js';
import type { SetVoice, Voice } from '#libs/contract/brief.js';
import { queryKeys } from '../../../shared/http/query-keys';
import { useHttp } from '../../../shared/account/use-http';
import { call } from '../../../shared/http/call';

/** The user's voices, sorted by name. */
export function useVoices() {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.voices,
    queryFn: async ({ signal }) => (await call(http, voiceRoutes.listVoices, { signal })).voices,
  });
}

/** Changes the voice with `id`, or creates a voice if there is no `id`. */
export function useSaveVoice() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, ...body }: SetVoice & { id?: string }): Promise<Voice> =>
      id === undefined
        ? (await call(http, voiceRoutes.addVoice, { body })).voice
        : (await call(http, voiceRoutes.setVoice, { params: { id }, body })).voice,
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.voices }),
  });
}

export function useDeleteVoice() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(http, voiceRoutes.deleteVoice, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.voices }),
  });
}
