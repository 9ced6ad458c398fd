import { useMutation } from '@tanstack/react-query';
import { useJobStore } from './live-context';
import { oneJobSchema } from './job-answer';
import { useHttp } from '../session/use-http';

/** Cancels a job; one that ended in the meantime is read again instead. */
export function useCancelJob() {
  const http = useHttp();
  const store = useJobStore();
  return useMutation({
    mutationFn: (id: string) => http.delete(`/api/jobs/${id}`, oneJobSchema),
    onSuccess: ({ job }) => store.take(job),
    onError: (_error, id) => store.refresh(id),
  });
}
