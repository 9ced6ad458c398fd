import { useMutation } from '@tanstack/react-query';
import { dismissed } from '../live/dismissed';
import { useJobStore } from '../live/live-context';
import { oneJobSchema } from './job-answer';
import { useHttp } from './use-http';

/** Runs a failed or cancelled job's input again and answers the new job. */
export function useRetryJob() {
  const http = useHttp();
  const store = useJobStore();
  return useMutation({
    mutationFn: async (id: string) => {
      const headers = { Prefer: 'respond-async' };
      return (await http.post(`/api/jobs/${id}/retry`, oneJobSchema, { headers })).job;
    },
    onSuccess: (job, id) => {
      store.take(job);
      // The new job stands for the old one, in the same rendering.
      store.flush();
      dismissed.add(id);
    },
  });
}
