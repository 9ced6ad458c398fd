import { useMutation } from '@tanstack/react-query';
import { call } from '../../../shared/http/call';
import { useJobStore } from '../state/runs-context';
import { jobRoutes } from '#libs/contract/routes/jobs.js';
import { useHttp } from '../../../shared/account/use-http';

/** Cancels a job. If that fails, the job may have ended: it is read again. */
export function useCancelJob() {
  const http = useHttp();
  const store = useJobStore();
  return useMutation({
    mutationFn: (id: string) => call(http, jobRoutes.cancelJob, { params: { id } }),
    onSuccess: ({ job }) => store.put(job),
    onError: (_error, id) => store.refresh(id),
  });
}
