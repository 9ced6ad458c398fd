import { useEffect } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Job } from '#libs/contract/jobs.js';
import { jobRoutes } from '#libs/contract/routes/jobs.js';
import { toolRoutes } from '#libs/contract/routes/tools.js';
import { type tools, type ToolName } from '#libs/tools/catalogue.js';
import { useHttp } from '../../../shared/account/use-http';
import { call, startJob } from '../../../shared/http/call';
import { ApiFailure, type Http } from '../../../shared/http/http';
import { queryKeys } from '../../../shared/http/query-keys';
import { dismissedRuns } from '../state/dismissed-runs';
import type { JobView } from '../state/job-store';
import { useJob, useJobStore } from '../state/runs-context';
import { useIdempotentCall } from './idempotency';
import { useMoveSent } from './sent-images';

const RECENT = 10;
/** Maximum page size that the server allows. */
const PAGE_LIMIT = 100;
const SUBMIT_RETRIES = 2;
const SUBMIT_RETRY_MS = 700;

/** Fetches a job with its text so far (`partial`). @returns null if the user has no such job */
export async function readJob(http: Http, id: string): Promise<Job | null> {
  try {
    return (await call(http, jobRoutes.getJob, { params: { id } })).job;
  } catch (error) {
    if (error instanceof ApiFailure && (error.code === 'NOT_FOUND' || error.code === 'VALIDATION_FAILED'))
      return null;
    throw error;
  }
}

/** A job from the store, which is fetched if necessary; null while it is loading or if `id` is null. */
export function useLoadedJob(id: string | null): JobView | null {
  const store = useJobStore();
  const view = useJob(id);
  const isUnknown = id !== null && view === null;
  useEffect(() => {
    if (isUnknown) void store.refresh(id);
  }, [store, id, isUnknown]);
  return view;
}

/** Fetches the latest jobs of a tool into the job store. */
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

/** Fetches the active jobs and the latest jobs of all tools into the job store. */
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

export interface Submission<N extends ToolName> {
  input: z.output<(typeof tools)[N]['input']>;
  /** Files by field name. If there are any, the request is sent as multipart/form-data, otherwise as JSON. */
  files?: Readonly<Record<string, Blob>>;
}

/**
 * Submits a job and resolves to it. If the request created several jobs, resolves to the first. Retries and double clicks
 * don't create another job (see idempotency.ts).
 */
export function useSubmitJob<N extends ToolName>(tool: N) {
  const http = useHttp();
  const store = useJobStore();
  const callIdempotently = useIdempotentCall();
  return useMutation({
    mutationFn: async ({ input, files = {} }: Submission<N>) => {
      const body = Object.keys(files).length === 0 ? input : formOf(input, files);
      const jobs = await callIdempotently(JSON.stringify(input), files, (key) =>
        startJob(http, toolRoutes.submitJob, key, { params: { tool }, body }),
      );
      for (const job of jobs) store.put(job);
      return jobs[0];
    },
    retry: (failures, error) =>
      failures < SUBMIT_RETRIES && error instanceof ApiFailure && error.status === 0,
    retryDelay: SUBMIT_RETRY_MS,
  });
}

/** Encodes a request as form data: first the fields, as strings or else JSON, then the files. */
export function formOf(input: object, files: Readonly<Record<string, Blob>>): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(input)) {
    if (value !== undefined) form.append(field, typeof value === 'string' ? value : JSON.stringify(value));
  }
  for (const [field, file] of Object.entries(files)) form.append(field, file);
  return form;
}

/** Cancels a job. If the request fails, the job may have ended already, so it is fetched again. */
export function useCancelJob() {
  const http = useHttp();
  const store = useJobStore();
  return useMutation({
    mutationFn: (id: string) => call(http, jobRoutes.cancelJob, { params: { id } }),
    onSuccess: ({ job }) => store.put(job),
    onError: (_error, id) => store.refresh(id),
  });
}

/** Retries a failed or cancelled job. Resolves to the new job. */
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
      // Jobs of a batch are not listed one by one, so the list needs no update.
      if (job.batchId !== undefined) return;
      store.put(job);
      // Flush now, so that the new job appears in the same render in which the old job disappears.
      store.flush();
      dismissedRuns.add(id);
    },
  });
}
