import { useRef } from 'react';
import { useMutation } from '@tanstack/react-query';
import { jobRoutes } from '#libs/contract/routes/jobs.js';
import { dismissedJobs } from './dismissed-jobs';
import { useJobStore } from './jobs-context';
import { startJob } from '../../../shared/http/call';
import { useMoveSent } from './sent-images';
import { idempotentRequest, mayHaveBeenAccepted, type IdempotentRequest } from './idempotency';
import { useHttp } from '../../../shared/account/use-http';

/** Runs a failed or cancelled job again and resolves to the new job. */
export function useRetryJob() {
  const http = useHttp();
  const store = useJobStore();
  const moveSent = useMoveSent();
  const lastRequest = useRef<IdempotentRequest | null>(null);
  return useMutation({
    mutationFn: async (id: string) => {
      const request = idempotentRequest(lastRequest.current, id, {}, performance.now());
      lastRequest.current = request;
      const [job] = await startJob(http, jobRoutes.retryJob, request.key, { params: { id } });
      request.acceptedAt = performance.now();
      await moveSent(id, job);
      return job;
    },
    onSuccess: (job, id) => {
      // The tray and the lists show batches as a whole.
      if (job.batchId !== undefined) return;
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
