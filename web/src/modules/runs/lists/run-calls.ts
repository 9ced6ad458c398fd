import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type { Batch } from '#libs/contract/batches.js';
import type { Flow } from '#libs/contract/flows.js';
import { useHttp } from '../../../shared/account/use-http';
import { batchKind, flowKind, type ListStore, type RunKind } from './run-kinds';
import type { RunSummary } from './run-summary';

const PAGE_SIZE = 20;
/** Interval at which an open run is fetched again, in case events were lost. */
const REREAD_MS = 30_000;

function putAll<R extends Batch | Flow>(store: ListStore<R>, runs: readonly R[]): void {
  for (const run of runs) store.put(run);
  store.flush();
}

/** Fetches the latest runs of a kind into the store. */
export function useLatestRuns<R extends Batch | Flow>(
  { keys, list }: RunKind<R>,
  store: ListStore<R>,
  onLoaded: () => void = () => undefined,
): void {
  const http = useHttp();
  useQuery({
    queryKey: keys.latest,
    queryFn: async ({ signal }) => {
      putAll(store, (await list(http, { query: { limit: PAGE_SIZE }, signal })).runs);
      onLoaded();
      return true;
    },
  });
}

/** Fetches the user's runs page by page. The runs are put into the store too. */
export function useRunPages<R extends Batch | Flow>({ keys, list, useStore }: RunKind<R>) {
  const http = useHttp();
  const store = useStore();
  return useInfiniteQuery({
    queryKey: keys.pages,
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, cursor: pageParam || undefined };
      const page = await list(http, { query, signal });
      putAll(store, page.runs);
      return page;
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Fetches a run into the store. The query's data is only the run's status; read the run from the store. */
export function useRunQuery<R extends Batch | Flow>({ keys, read, useStore }: RunKind<R>, id: string) {
  const http = useHttp();
  const store = useStore();
  return useQuery({
    queryKey: keys.one(id),
    queryFn: async ({ signal }) => {
      const run = await read(http, id, signal);
      putAll(store, [run]);
      return run.status;
    },
    refetchInterval: ({ state }) => (state.data === 'open' ? REREAD_MS : false),
  });
}

export function useCancelRun(kind: RunSummary['kind']) {
  const http = useHttp();
  const batches = batchKind.useStore();
  const flows = flowKind.useStore();
  return useMutation({
    mutationFn: async (id: string) => {
      if (kind === 'batch') putAll(batches, [await batchKind.cancel(http, id)]);
      else putAll(flows, [await flowKind.cancel(http, id)]);
    },
  });
}

/** All runs of a kind in the store, newest first. */
export function useRunList<R extends Batch | Flow>({ useStore }: RunKind<R>): readonly R[] {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, () => store.list());
}

/** Calls the listener when a batch or flow ends, or when a flow stops at a failed step. */
export function useRunEnds(onEnd: (run: RunSummary) => void): void {
  const listener = useEffectEvent(onEnd);
  const batches = batchKind.useStore();
  const flows = flowKind.useStore();
  useEffect(() => {
    const stops = [
      batches.onEnd((batch) => listener(batchKind.summarize(batch))),
      flows.onEnd((flow) => listener(flowKind.summarize(flow))),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [batches, flows]);
}
