import { useRef } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { z } from 'zod';
import { toolRoutes } from '#libs/contract/routes/tools.js';
import { type tools, type ToolName } from '#libs/tools/catalogue.js';
import { useJobStore } from './jobs-context';
import { startJob } from '../../../shared/http/call';
import { ApiFailure } from '../../../shared/http/http';
import { idempotentRequest, mayHaveBeenAccepted, type IdempotentRequest } from './idempotency';
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
  const lastRequest = useRef<IdempotentRequest | null>(null);
  return useMutation({
    mutationFn: async ({ input, files = {} }: Submission<N>) => {
      const request = idempotentRequest(lastRequest.current, JSON.stringify(input), files, performance.now());
      lastRequest.current = request;
      const jobs = await startJob(http, toolRoutes.submitJob, request.key, {
        params: { tool },
        body: Object.keys(files).length === 0 ? input : formOf(input, files),
      });
      request.acceptedAt = performance.now();
      for (const job of jobs) store.put(job);
      return jobs[0];
    },
    retry: (failures, error) => failures < RETRIES && error instanceof ApiFailure && error.status === 0,
    retryDelay: RETRY_MS,
    onError: (error) => {
      if (!mayHaveBeenAccepted(error)) lastRequest.current = null;
    },
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
