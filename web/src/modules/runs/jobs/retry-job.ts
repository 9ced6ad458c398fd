import { useMutation } from '@tanstack/react-query';
import { jobRoutes } from '#libs/contract/routes/jobs.js';
import { dismissedRuns } from '../state/dismissed-runs';
import { useJobStore } from '../state/runs-context';
import { startJob } from '../../../shared/http/call';
import { useMoveSent } from './sent-images';
import { useIdempotentCall } from './use-idempotent-call';
import { useHttp } from '../../../shared/account/use-http';

/** Retries a failed or cancelled job and resolves to the new job. */
export function useRetryJob() {
  const http = useHttp();
  const store = useJobStore();
  const moveSent = useMoveSent();
  const callIdempotently = useIdempotentCall();
  return useMutation({
    mutationFn: async (id: string) => {
      const [job] = await callIdempotently(id, {}, (key) =>
        startJob(http, jobRoutes.retryJob, key, { params: { id } }),
      );
      await moveSent(id, job);
      return job;
    },
    onSuccess: (job, id) => {
      // The tray and the lists show batches as a whole.
      if (job.batchId !== undefined) return;
      store.put(job);
      // The new job replaces the old one in the same render.
      store.flush();
      dismissedRuns.add(id);
    },
  });
}
