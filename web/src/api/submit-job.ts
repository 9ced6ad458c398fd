import { useRef } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { z } from 'zod';
import { type tools, type ToolName } from '#libs/tools/catalogue.js';
import { useJobStore } from '../live/live-context';
import { ApiFailure } from './http';
import { oneJobSchema } from './job-answer';
import { useHttp } from './use-http';

const RETRIES = 2;
const RETRY_MS = 700;

/** Whether the server may have taken the request although no answer reached us. */
const isUncertain = (error: unknown) =>
  error instanceof ApiFailure && (error.status === 0 || error.status >= 500);

/**
 * Submits work for a tool and answers the accepted job. One intent makes one job: its key is kept over our own
 * retries, and over the person's next click on the same input while it is unknown whether the last one arrived.
 */
export function useSubmitJob<N extends ToolName>(tool: N) {
  const http = useHttp();
  const store = useJobStore();
  const intent = useRef<{ key: string; input: string } | null>(null);
  return useMutation({
    mutationFn: async (input: z.output<(typeof tools)[N]['input']>) => {
      const text = JSON.stringify(input);
      if (intent.current?.input !== text) intent.current = { key: crypto.randomUUID(), input: text };
      const { job } = await http.post(`/api/ai/${tool}`, oneJobSchema, {
        body: input,
        headers: { Prefer: 'respond-async', 'Idempotency-Key': intent.current.key },
      });
      return job;
    },
    retry: (failures, error) => failures < RETRIES && error instanceof ApiFailure && error.status === 0,
    retryDelay: RETRY_MS,
    onSuccess: (job) => {
      intent.current = null;
      store.take(job);
    },
    onError: (error) => {
      if (!isUncertain(error)) intent.current = null;
    },
  });
}
