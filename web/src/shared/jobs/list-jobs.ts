import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import type { ToolName } from '#libs/tools/catalogue.js';
import { useJobStore } from './jobs-context';
import { jobInResponseSchema } from './job-response';
import { queryKeys } from '../http/query-keys';
import { useHttp } from '../session/use-http';

const answerSchema = z.object({ jobs: z.array(jobInResponseSchema), nextCursor: z.string().nullable() });
const RECENT = 10;
/** The most that one response holds. */
const PAGE_LIMIT = 100;

/** Loads the latest jobs of a tool into the job store. */
export function useRecentJobs(tool: ToolName) {
  const http = useHttp();
  const store = useJobStore();
  return useQuery({
    queryKey: queryKeys.toolJobs(tool),
    queryFn: async ({ signal }) => {
      const { jobs } = await http.get(`/api/jobs?tool=${tool}&limit=${RECENT}`, answerSchema, { signal });
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
        `status=running&limit=${PAGE_LIMIT}`,
        `status=queued&limit=${PAGE_LIMIT}`,
        `limit=${RECENT}`,
      ];
      const responses = await Promise.all(
        queries.map((query) => http.get(`/api/jobs?${query}`, answerSchema, { signal })),
      );
      for (const job of responses.flatMap(({ jobs }) => jobs)) store.put(job);
      return true;
    },
  });
}
