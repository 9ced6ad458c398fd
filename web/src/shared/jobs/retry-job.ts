import { useRef } from 'react';
import { useMutation } from '@tanstack/react-query';
import { dismissed } from './dismissed';
import { useJobStore } from './live-context';
import { intentOf, isUncertain, type Intent } from './intent';
import { oneJobSchema } from './job-answer';
import { useHttp } from '../session/use-http';

/** Runs a failed or cancelled job's input again and answers the new job, one for each intent. */
export function useRetryJob() {
  const http = useHttp();
  const store = useJobStore();
  const intent = useRef<Intent | null>(null);
  return useMutation({
    mutationFn: async (id: string) => {
      const meant = intentOf(intent.current, id, {}, performance.now());
      intent.current = meant;
      const headers = { Prefer: 'respond-async', 'Idempotency-Key': meant.key };
      const { job } = await http.post(`/api/jobs/${id}/retry`, oneJobSchema, { headers });
      meant.takenAt = performance.now();
      return job;
    },
    onSuccess: (job, id) => {
      store.take(job);
      // The new job stands for the old one, in the same rendering.
      store.flush();
      dismissed.add(id);
    },
    onError: (error) => {
      if (!isUncertain(error)) intent.current = null;
    },
  });
}
