import { useRef } from 'react';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FlowName, Flow } from '#libs/contract/flows.js';
import { flowRoutes } from '#libs/contract/routes/flows.js';
import { call, callOnce } from '../../../shared/http/call';
import { queryKeys } from '../../../shared/http/query-keys';
import { idempotentRequest, mayHaveBeenAccepted, type IdempotentRequest } from '../jobs/idempotency';
import { formOf } from '../jobs/submit-job';
import { useHttp } from '../../../shared/account/use-http';
import { putFlow } from './flow-cache';

const PAGE_SIZE = 20;
/** Where events were lost and nobody noticed. */
const REREAD_MS = 30_000;

export interface ChosenFlow {
  flow: FlowName;
  input: object;
  steps: readonly string[];
  files?: Readonly<Record<string, Blob>>;
}

/** Starts a flow. A repeated call starts it once. */
export function useCreateFlow() {
  const http = useHttp();
  const queries = useQueryClient();
  const last = useRef<IdempotentRequest | null>(null);
  return useMutation({
    mutationFn: async ({ flow: name, input, steps, files = {} }: ChosenFlow) => {
      const fields = { ...input, steps: steps.join(',') };
      const content = JSON.stringify([name, fields]);
      const request = idempotentRequest(last.current, content, files, performance.now());
      last.current = request;
      const { flow } = await callOnce(http, flowRoutes.createFlow, request.key, {
        params: { flow: name },
        body: Object.keys(files).length === 0 ? fields : formOf(fields, files),
      });
      request.acceptedAt = performance.now();
      return flow;
    },
    onSuccess: (flow) => void putFlow(queries, flow),
    onError: (error) => {
      if (!mayHaveBeenAccepted(error)) last.current = null;
    },
  });
}

export function useFlow(id: string) {
  const http = useHttp();
  const queries = useQueryClient();
  return useQuery<Flow>({
    queryKey: queryKeys.flow(id),
    queryFn: async ({ signal }) =>
      putFlow(queries, (await call(http, flowRoutes.getFlow, { params: { id }, signal })).flow),
    placeholderData: () =>
      queries.getQueryData<readonly Flow[]>(queryKeys.latestFlows)?.find((flow) => flow.id === id),
    refetchInterval: ({ state }) => (state.data?.status === 'open' ? REREAD_MS : false),
  });
}

/** The user's flows, in pages. */
export function useFlowPages() {
  const http = useHttp();
  return useInfiniteQuery({
    queryKey: queryKeys.flowPages,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call(http, flowRoutes.listFlows, {
        query: { limit: PAGE_SIZE, cursor: pageParam || undefined },
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

export function useCancelFlow() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(http, flowRoutes.cancelFlow, { params: { id } }),
    onSuccess: ({ flow }) => void putFlow(queries, flow),
  });
}
