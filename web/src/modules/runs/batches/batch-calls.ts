import { useEffect, useRef } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BatchTool, NewBatch } from '#libs/contract/batches.js';
import { batchRoutes } from '#libs/contract/routes/batches.js';
import { useHttp } from '../../../shared/account/use-http';
import { call, callOnce } from '../../../shared/http/call';
import { queryKeys } from '../../../shared/http/query-keys';
import { useIdempotentCall } from '../jobs/idempotency';
import { useRunQuery } from '../lists/run-calls';
import { batchKind } from '../lists/run-kinds';
import { useBatchStore, useBatchUploads, useBatchView } from '../state/runs-context';

/** Minimum time between two fetches of a batch, since another tab's uploads make it stale often. */
const STALE_MS = 1_500;

export interface ChosenBatch {
  tool: BatchTool;
  input: NewBatch['input'];
  files: readonly File[];
}

/** Starts a batch and its uploads. Double clicks and retries start it only once (see idempotency.ts). */
export function useCreateBatch() {
  const http = useHttp();
  const store = useBatchStore();
  const uploads = useBatchUploads();
  const queries = useQueryClient();
  const callIdempotently = useIdempotentCall();
  return useMutation({
    mutationFn: ({ tool, input, files }: ChosenBatch) => {
      const items = files.map(({ name, size }, index) => ({ id: String(index + 1), name, size }));
      const body = { tool, input, items };
      return callIdempotently(
        JSON.stringify(body),
        Object.fromEntries(files.entries()),
        async (key) => (await callOnce(http, batchRoutes.createBatch, key, { body })).batch,
      );
    },
    onSuccess: (batch, { files }) => {
      store.put(batch);
      store.flush();
      uploads?.add(batch.id, new Map(files.map((file, index) => [index + 1, file])));
      void queries.invalidateQueries({ queryKey: queryKeys.batches.pages });
    },
  });
}

/** Fetches a batch with its items into the store, and again when another tab or device changed the batch. */
export function useBatchQuery(id: string) {
  const store = useBatchStore();
  const uploads = useBatchUploads();
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = store.onStale((stale) => {
      if (stale !== id) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({ queryKey: queryKeys.batches.one(id) });
      }, STALE_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [store, queries, id]);
  const query = useRunQuery(batchKind, id);
  const isOpen = query.data === 'open';
  const status = useBatchView(id)?.batch.status;
  const lastStatus = useRef(status);
  useEffect(() => {
    // Events of jobs lack the originals.
    if (lastStatus.current === 'open' && status !== 'open')
      void queries.invalidateQueries({ queryKey: queryKeys.batches.one(id) });
    lastStatus.current = status;
  }, [queries, id, status]);
  useEffect(() => {
    if (isOpen) void uploads?.resume(id);
  }, [uploads, isOpen, id]);
  return query;
}

export function useLeaveOut(id: string) {
  const http = useHttp();
  const store = useBatchStore();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (n: number) => call(http, batchRoutes.leaveOutBatchItem, { params: { id, n } }),
    onSuccess: ({ item }) => store.putItem(id, item),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.batches.one(id) }),
  });
}

/** Deletes the originals of a batch, which frees their storage. */
export function useDeleteOriginals(id: string) {
  const http = useHttp();
  const store = useBatchStore();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(http, batchRoutes.deleteBatchOriginals, { params: { id } }),
    onSuccess: ({ batch }) => store.put(batch),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: queryKeys.account });
      return queries.invalidateQueries({ queryKey: queryKeys.batches.one(id) });
    },
  });
}
