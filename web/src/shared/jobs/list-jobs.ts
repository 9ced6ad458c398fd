import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import type { ToolName } from '#libs/tools/catalogue.js';
import { useJobStore } from './live-context';
import { jobAnswerSchema } from './job-answer';
import { queryKeys } from '../http/query-keys';
import { useHttp } from '../session/use-http';

const answerSchema = z.object({ jobs: z.array(jobAnswerSchema), nextCursor: z.string().nullable() });
const RECENT = 10;
/** As many as one answer holds; a user has rarely more on the way. */
const MOST = 100;

/** Brings one tool's latest jobs, newest first, into the job store, where live events keep them current. */
export function useRecentJobs(tool: ToolName) {
  const http = useHttp();
  const store = useJobStore();
  return useQuery({
    queryKey: queryKeys.toolJobs(tool),
    queryFn: async ({ signal }) => {
      const { jobs } = await http.get(`/api/jobs?tool=${tool}&limit=${RECENT}`, answerSchema, { signal });
      for (const job of jobs) store.take(job);
      return jobs.map((job) => job.id);
    },
  });
}

/** Brings what has not ended, and what ended lately, of every tool into the job store. */
export function useLatestJobs() {
  const http = useHttp();
  const store = useJobStore();
  return useQuery({
    queryKey: queryKeys.latestJobs,
    queryFn: async ({ signal }) => {
      const queries = [`status=running&limit=${MOST}`, `status=queued&limit=${MOST}`, `limit=${RECENT}`];
      const answers = await Promise.all(
        queries.map((query) => http.get(`/api/jobs?${query}`, answerSchema, { signal })),
      );
      for (const job of answers.flatMap(({ jobs }) => jobs)) store.take(job);
      return true;
    },
  });
}
