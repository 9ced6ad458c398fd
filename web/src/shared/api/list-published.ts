import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { publishedCreationSchema, toggledLikeSchema } from '#libs/contract/community.js';
import { queryKeys } from '../http/query-keys';
import { useHttp } from '../session/use-http';

const answerSchema = z.object({ creations: z.array(publishedCreationSchema) });

/** All published images, newest first. */
export function usePublished() {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.published,
    queryFn: async ({ signal }) =>
      (await http.get('/api/user/get-published-creations', answerSchema, { signal })).creations,
  });
}

export function useToggleLike() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      http.post('/api/user/toggle-like-creation', toggledLikeSchema, { body: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.published }),
  });
}
