import { useMutation } from '@tanstack/react-query';
import type { z } from 'zod';
import { toolRoutes } from '#libs/contract/routes/tools.js';
import { type tools, type ToolName } from '#libs/tools/catalogue.js';
import { useJobStore } from '../state/runs-context';
import { startJob } from '../../../shared/http/call';
import { ApiFailure } from '../../../shared/http/http';
import { useIdempotentCall } from './use-idempotent-call';
import { useHttp } from '../../../shared/account/use-http';

const RETRIES = 2;
const RETRY_MS = 700;

export interface Submission<N extends ToolName> {
  input: z.output<(typeof tools)[N]['input']>;
  /** By file field. With files, the request is multipart. */
  files?: Readonly<Record<string, Blob>>;
}

/** Submits a job and resolves to the accepted job, the first of several. Retries and double clicks create one job (see idempotency.ts). */
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
    retry: (failures, error) => failures < RETRIES && error instanceof ApiFailure && error.status === 0,
    retryDelay: RETRY_MS,
  });
}

/** The fields come first; values that are not strings become JSON. */
export function formOf(input: object, files: Readonly<Record<string, Blob>>): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(input)) {
    if (value !== undefined) form.append(field, typeof value === 'string' ? value : JSON.stringify(value));
  }
  for (const [field, file] of Object.entries(files)) form.append(field, file);
  return form;
}
