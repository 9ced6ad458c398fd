import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { creationSchema } from '#libs/contract/creations.js';
import { queryKeys } from '../http/query-keys';
import { useHttp } from '../session/use-http';

const answerSchema = z.object({ creations: z.array(creationSchema) });

/** The user's creations, newest first. */
export function useCreations() {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.creations,
    queryFn: async ({ signal }) =>
      (await http.get('/api/user/get-user-creations', answerSchema, { signal })).creations,
  });
}
