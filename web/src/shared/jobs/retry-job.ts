import { useRef } from 'react';
import { useMutation } from '@tanstack/react-query';
import { dismissedJobs } from './dismissed-jobs';
import { useJobStore } from './jobs-context';
import { idempotentRequest, mayHaveBeenAccepted, type IdempotentRequest } from './idempotency';
import { jobResponseSchema } from './job-response';
import { useHttp } from '../session/use-http';

/** Runs a failed or cancelled job again and resolves to the new job. */
export function useRetryJob() {
  const http = useHttp();
  const store = useJobStore();
  const lastRequest = useRef<IdempotentRequest | null>(null);
  return useMutation({
    mutationFn: async (id: string) => {
      const request = idempotentRequest(lastRequest.current, id, {}, performance.now());
      lastRequest.current = request;
      const headers = { Prefer: 'respond-async', 'Idempotency-Key': request.key };
      const { job } = await http.post(`/api/jobs/${id}/retry`, jobResponseSchema, { headers });
      request.acceptedAt = performance.now();
      return job;
    },
    onSuccess: (job, id) => {
      store.put(job);
      // The new job replaces the old one in the same render.
      store.flush();
      dismissedJobs.add(id);
    },
    onError: (error) => {
      if (!mayHaveBeenAccepted(error)) lastRequest.current = null;
    },
  });
}
