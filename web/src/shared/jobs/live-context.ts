import { createContext, use, useSyncExternalStore } from 'react';
import type { Job } from '#libs/contract/jobs.js';
import type { JobStore, JobView } from './job-store';

export interface Live {
  store: JobStore;
  /** False while a connection that was there is lost. */
  connected: boolean;
}

export const LiveContext = createContext<Live | null>(null);

function useLive(): Live {
  const live = use(LiveContext);
  if (live === null) throw new Error('Live state is used outside of LiveProvider.');
  return live;
}

export const useJobStore = (): JobStore => useLive().store;
export const useConnected = (): boolean => useLive().connected;

/** A job and its text, kept current; null while it is unknown. */
export function useJob(id: string | null): JobView | null {
  const store = useJobStore();
  return useSyncExternalStore(store.subscribe, () => (id === null ? null : store.view(id)));
}

/** Every known job, newest first, kept current. */
export function useJobs(): readonly Job[] {
  const store = useJobStore();
  return useSyncExternalStore(store.subscribe, () => store.list());
}
