import { useRef } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { z } from 'zod';
import { type tools, type ToolName } from '#libs/tools/catalogue.js';
import { useJobStore } from './live-context';
import { ApiFailure } from '../http/http';
import { intentOf, isUncertain, type Intent } from './intent';
import { oneJobSchema } from './job-answer';
import { useHttp } from '../session/use-http';

const RETRIES = 2;
const RETRY_MS = 700;

/** What is asked of a tool. */
export interface Submission<N extends ToolName> {
  input: z.output<(typeof tools)[N]['input']>;
  /** By the names of the tool's file fields. With any, the request is multipart. */
  files?: Readonly<Record<string, Blob>>;
}

/**
 * Submits work for a tool and answers the accepted job. One intent makes one job: its key is kept over our own
 * retries, and over the user's next click while it is unknown whether the last one arrived, or just after it did.
 */
export function useSubmitJob<N extends ToolName>(tool: N) {
  const http = useHttp();
  const store = useJobStore();
  const intent = useRef<Intent | null>(null);
  return useMutation({
    mutationFn: async ({ input, files = {} }: Submission<N>) => {
      const meant = intentOf(intent.current, JSON.stringify(input), files, performance.now());
      intent.current = meant;
      const { job } = await http.post(`/api/ai/${tool}`, oneJobSchema, {
        body: Object.keys(files).length === 0 ? input : formOf(input, files),
        headers: { Prefer: 'respond-async', 'Idempotency-Key': meant.key },
      });
      meant.takenAt = performance.now();
      return job;
    },
    retry: (failures, error) => failures < RETRIES && error instanceof ApiFailure && error.status === 0,
    retryDelay: RETRY_MS,
    onSuccess: (job) => store.take(job),
    onError: (error) => {
      if (!isUncertain(error)) intent.current = null;
    },
  });
}

/** The fields first, as text; what is no text goes as its JSON. */
function formOf(input: object, files: Readonly<Record<string, Blob>>): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(input)) {
    if (value !== undefined) form.append(field, typeof value === 'string' ? value : JSON.stringify(value));
  }
  for (const [field, file] of Object.entries(files)) form.append(field, file);
  return form;
}
