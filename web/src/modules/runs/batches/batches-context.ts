import { createContext, use, useSyncExternalStore } from 'react';
import type { Batch } from '#libs/contract/batches.js';
import { BatchStore, type BatchView } from './batch-store';
import { noUploads, type BatchUploads, type UploadState } from './batch-uploads';

interface BatchesContextValue {
  store: BatchStore;
  /** Null outside of the signed-in area. */
  uploads: BatchUploads | null;
}

/** Listeners hear of all changes of this time at once. */
const SHOWN_EVERY_MS = 250;

export const createBatchStore = () => new BatchStore((flush) => void setTimeout(flush, SHOWN_EVERY_MS));

export const BatchesContext = createContext<BatchesContextValue>({
  store: createBatchStore(),
  uploads: null,
});

export const useBatchStore = (): BatchStore => use(BatchesContext).store;
export const useBatchUploads = (): BatchUploads | null => use(BatchesContext).uploads;

/** Null while the batch is unknown. */
export function useBatchView(id: string): BatchView | null {
  const store = useBatchStore();
  return useSyncExternalStore(store.subscribe, () => store.view(id));
}

/** The batches that this tab knows, newest first. */
export function useBatches(): readonly Batch[] {
  const store = useBatchStore();
  return useSyncExternalStore(store.subscribe, () => store.list());
}

const neverChanges = () => () => undefined;

export function useUploadState(id: string): UploadState {
  const uploads = useBatchUploads();
  return useSyncExternalStore(uploads?.subscribe ?? neverChanges, () => uploads?.state(id) ?? noUploads);
}
