import type { QueryKey } from '@tanstack/react-query';
import type { Batch } from '#libs/contract/batches.js';
import type { Flow } from '#libs/contract/flows.js';
import { batchRoutes } from '#libs/contract/routes/batches.js';
import { flowRoutes } from '#libs/contract/routes/flows.js';
import { call } from '../../../shared/http/call';
import type { Http } from '../../../shared/http/http';
import { queryKeys } from '../../../shared/http/query-keys';
import { paths } from '../../../shared/paths';
import type { RunStore } from '../state/run-store';
import { useBatchStore, useFlowStore } from '../state/runs-context';
import { summarizeBatch, summarizeFlow, type RunSummary } from './run-summary';

/** The methods of a store that lists use. */
export type ListStore<R extends Batch | Flow> = Pick<
  RunStore<R, unknown>,
  'put' | 'flush' | 'list' | 'subscribe' | 'onEnd' | 'wasOpen'
>;

/** What differs between batches and flows: routes, store and texts. Lists are generic over this type. */
export interface RunKind<R extends Batch | Flow> {
  /** Word that users read, such as `batch`. */
  noun: string;
  allPath: string;
  keys: { all: QueryKey; pages: QueryKey; latest: QueryKey; one: (id: string) => QueryKey };
  useStore: () => ListStore<R>;
  summarize: (run: R) => RunSummary;
  list: (
    http: Http,
    input: { query: { limit: number; cursor?: string }; signal: AbortSignal },
  ) => Promise<{ runs: R[]; nextCursor: string | null }>;
  read: (http: Http, id: string, signal?: AbortSignal) => Promise<R>;
  cancel: (http: Http, id: string) => Promise<R>;
}

export const batchKind: RunKind<Batch> = {
  noun: 'batch',
  allPath: paths.batches,
  keys: queryKeys.batches,
  useStore: useBatchStore,
  summarize: summarizeBatch,
  list: async (http, input) => {
    const { batches, nextCursor } = await call(http, batchRoutes.listBatches, input);
    return { runs: batches, nextCursor };
  },
  read: async (http, id, signal) =>
    (await call(http, batchRoutes.getBatch, { params: { id }, signal })).batch,
  cancel: async (http, id) => (await call(http, batchRoutes.cancelBatch, { params: { id } })).batch,
};

export const flowKind: RunKind<Flow> = {
  noun: 'run',
  allPath: paths.flows,
  keys: queryKeys.flows,
  useStore: useFlowStore,
  summarize: summarizeFlow,
  list: async (http, input) => {
    const { flows, nextCursor } = await call(http, flowRoutes.listFlows, input);
    return { runs: flows, nextCursor };
  },
  read: async (http, id, signal) => (await call(http, flowRoutes.getFlow, { params: { id }, signal })).flow,
  cancel: async (http, id) => (await call(http, flowRoutes.cancelFlow, { params: { id } })).flow,
};
