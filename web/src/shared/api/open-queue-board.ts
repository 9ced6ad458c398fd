import { useMutation } from '@tanstack/react-query';
import { z } from 'zod';
import { useHttp } from '../session/use-http';

const answerSchema = z.object({ url: z.string() });

/** Starts a session for the queue board and opens it. For operators. */
export function useOpenQueueBoard() {
  const http = useHttp();
  return useMutation({
    mutationFn: () => http.post('/api/admin/session', answerSchema),
    onSuccess: ({ url }) => window.location.assign(url),
  });
}
