import { createContext, use, useSyncExternalStore } from 'react';
import type { Batch } from '#libs/contract/batches.js';
import type { Flow } from '#libs/contract/flows.js';
import type { Job } from '#libs/contract/jobs.js';
import type { BatchStore, BatchView } from './batch-store';
import { noUploads, type BatchUploads, type UploadState } from './batch-uploads';
import type { FlowStore } from './flow-store';
import type { JobStore, JobView } from './job-store';

interface Runs {
  jobs: JobStore;
  batches: BatchStore;
  flows: FlowStore;
  uploads: BatchUploads | null;
  /** False if the socket has lost its connection; true before the first connection. */
  connected: boolean;
}

export const RunsContext = createContext<Runs | null>(null);

function useRuns(): Runs {
  const value = use(RunsContext);
  if (value === null) throw new Error('Used outside of RunsProvider.');
  return value;
}

export const useJobStore = (): JobStore => useRuns().jobs;
export const useBatchStore = (): BatchStore => useRuns().batches;
export const useFlowStore = (): FlowStore => useRuns().flows;
export const useBatchUploads = (): BatchUploads | null => useRuns().uploads;
export const useConnected = (): boolean => useRuns().connected;

interface ReadableStore<R, V> {
  subscribe: (listener: () => void) => () => void;
  view: (id: string) => V | null;
  list: () => readonly R[];
}

const useView = <R, V>(store: ReadableStore<R, V>, id: string | null) =>
  useSyncExternalStore(store.subscribe, () => (id === null ? null : store.view(id)));
const useList = <R, V>(store: ReadableStore<R, V>) =>
  useSyncExternalStore(store.subscribe, () => store.list());

/** @returns null if the store doesn't have the job */
export const useJob = (id: string | null): JobView | null => useView(useJobStore(), id);
/** @returns null if the store doesn't have the batch */
export const useBatchView = (id: string): BatchView | null => useView(useBatchStore(), id);
/** @returns null if the store doesn't have the flow */
export const useFlow = (id: string): Flow | null => useView(useFlowStore(), id);

export const useJobs = (): readonly Job[] => useList(useJobStore());
export const useBatches = (): readonly Batch[] => useList(useBatchStore());
/** All flows in the store, newest first. */
export const useFlows = (): readonly Flow[] => useList(useFlowStore());

const neverChanges = () => () => undefined;

export function useUploadState(id: string): UploadState {
  const uploads = useBatchUploads();
  return useSyncExternalStore(uploads?.subscribe ?? neverChanges, () => uploads?.state(id) ?? noUploads);
}
