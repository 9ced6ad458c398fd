import { useQuery } from '@tanstack/react-query';
import { jobRoutes } from '#libs/contract/routes/jobs.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { useJobStore } from '../state/runs-context';
import { call } from '../../../shared/http/call';
import { queryKeys } from '../../../shared/http/query-keys';
import { useHttp } from '../../../shared/account/use-http';

const RECENT = 10;
/** The server's limit for a response. */
const PAGE_LIMIT = 100;

/** Loads the latest jobs of a tool into the job store. */
export function useRecentJobs(tool: ToolName) {
  const http = useHttp();
  const store = useJobStore();
  return useQuery({
    queryKey: queryKeys.toolJobs(tool),
    queryFn: async ({ signal }) => {
      const { jobs } = await call(http, jobRoutes.listJobs, {
        query: { tool, limit: RECENT, batches: 'without' },
        signal,
      });
      for (const job of jobs) store.put(job);
      return jobs.map((job) => job.id);
    },
  });
}

/** Loads the active and the latest jobs of every tool into the job store. */
export function useLatestJobs() {
  const http = useHttp();
  const store = useJobStore();
  return useQuery({
    queryKey: queryKeys.latestJobs,
    queryFn: async ({ signal }) => {
      const queries = [
        { status: 'running', limit: PAGE_LIMIT },
        { status: 'queued', limit: PAGE_LIMIT },
        { limit: RECENT },
      ] as const;
      const responses = await Promise.all(
        queries.map((query) =>
          call(http, jobRoutes.listJobs, { query: { ...query, batches: 'without' }, signal }),
        ),
      );
      for (const job of responses.flatMap(({ jobs }) => jobs)) store.put(job);
      return true;
    },
  });
}
