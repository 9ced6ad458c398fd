import { useEffect, useRef } from 'react';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BatchTool, NewBatch } from '#libs/contract/batches.js';
import { batchRoutes } from '#libs/contract/routes/batches.js';
import { call, callOnce } from '../../../shared/http/call';
import { queryKeys } from '../../../shared/http/query-keys';
import { idempotentRequest, mayHaveBeenAccepted, type IdempotentRequest } from '../jobs/idempotency';
import { useHttp } from '../../../shared/account/use-http';
import { useBatchStore, useBatchUploads } from './batches-context';

const PAGE_SIZE = 20;
/** Where events were lost and nobody noticed. */
const REREAD_MS = 30_000;
/** Between two readings for pictures that another tab sends. */
const STALE_MS = 1_500;

export interface ChosenBatch {
  tool: BatchTool;
  input: NewBatch['input'];
  files: readonly File[];
}

/** Starts a batch and begins to send its pictures. A repeated call starts it once. */
export function useCreateBatch() {
  const http = useHttp();
  const store = useBatchStore();
  const uploads = useBatchUploads();
  const queries = useQueryClient();
  const last = useRef<IdempotentRequest | null>(null);
  return useMutation({
    mutationFn: async ({ tool, input, files }: ChosenBatch) => {
      const items = files.map(({ name, size }, index) => ({ id: String(index + 1), name, size }));
      const body = { tool, input, items };
      const request = idempotentRequest(
        last.current,
        JSON.stringify(body),
        Object.fromEntries(files.entries()),
        performance.now(),
      );
      last.current = request;
      const { batch } = await callOnce(http, batchRoutes.createBatch, request.key, { body });
      request.acceptedAt = performance.now();
      return batch;
    },
    onSuccess: (batch, { files }) => {
      store.put(batch);
      store.flush();
      uploads?.add(batch.id, new Map(files.map((file, index) => [index + 1, file])));
      void queries.invalidateQueries({ queryKey: queryKeys.batchPages });
    },
    onError: (error) => {
      if (!mayHaveBeenAccepted(error)) last.current = null;
    },
  });
}

/** Reads a batch with its pictures into the store, and again when another tab or device changed it. */
export function useBatchQuery(id: string) {
  const http = useHttp();
  const store = useBatchStore();
  const uploads = useBatchUploads();
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = store.onStale((stale) => {
      if (stale !== id) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({ queryKey: queryKeys.batch(id) });
      }, STALE_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [store, queries, id]);
  const query = useQuery({
    queryKey: queryKeys.batch(id),
    queryFn: async ({ signal }) => {
      const { batch } = await call(http, batchRoutes.getBatch, { params: { id }, signal });
      store.put(batch);
      store.flush();
      return batch.status;
    },
    refetchInterval: ({ state }) => (state.data === 'open' ? REREAD_MS : false),
  });
  const isOpen = query.data === 'open';
  useEffect(() => {
    if (isOpen) void uploads?.resume(id);
  }, [uploads, isOpen, id]);
  return query;
}

/** The user's batches, in pages. */
export function useBatchPages() {
  const http = useHttp();
  const store = useBatchStore();
  return useInfiniteQuery({
    queryKey: queryKeys.batchPages,
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, cursor: pageParam || undefined };
      const page = await call(http, batchRoutes.listBatches, { query, signal });
      for (const batch of page.batches) store.put(batch);
      store.flush();
      return page;
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

export function useCancelBatch() {
  const http = useHttp();
  const store = useBatchStore();
  return useMutation({
    mutationFn: (id: string) => call(http, batchRoutes.cancelBatch, { params: { id } }),
    onSuccess: ({ batch }) => {
      store.put(batch);
      store.flush();
    },
  });
}

export function useLeaveOut(id: string) {
  const http = useHttp();
  const store = useBatchStore();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (n: number) => call(http, batchRoutes.leaveOutBatchItem, { params: { id, n } }),
    onSuccess: ({ item }) => store.putItem(id, item),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.batch(id) }),
  });
}
