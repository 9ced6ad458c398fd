import { useMutation } from '@tanstack/react-query';
import { z } from 'zod';
import { useHttp } from '../session/use-http';

const answerSchema = z.object({ url: z.string() });

/** Lets this browser in to the queue board for a while, and goes there. For operators. */
export function useOpenQueueBoard() {
  const http = useHttp();
  return useMutation({
    mutationFn: () => http.post('/api/admin/session', answerSchema),
    onSuccess: ({ url }) => window.location.assign(url),
  });
}
