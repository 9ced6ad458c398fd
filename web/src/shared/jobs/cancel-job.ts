import { useMutation } from '@tanstack/react-query';
import { useJobStore } from './jobs-context';
import { jobResponseSchema } from './job-response';
import { useHttp } from '../session/use-http';

/** Cancels a job. If that fails, the job may have ended: it is read again. */
export function useCancelJob() {
  const http = useHttp();
  const store = useJobStore();
  return useMutation({
    mutationFn: (id: string) => http.delete(`/api/jobs/${id}`, jobResponseSchema),
    onSuccess: ({ job }) => store.put(job),
    onError: (_error, id) => store.refresh(id),
  });
}
