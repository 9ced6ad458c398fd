import { createContext, use, useSyncExternalStore } from 'react';
import type { Job } from '#libs/contract/jobs.js';
import type { JobStore, JobView } from './job-store';

interface JobsContextValue {
  store: JobStore;
  /** False while the socket is disconnected after it was connected. */
  connected: boolean;
}

export const JobsContext = createContext<JobsContextValue | null>(null);

function useJobsContext(): JobsContextValue {
  const value = use(JobsContext);
  if (value === null) throw new Error('Used outside of JobsProvider.');
  return value;
}

export const useJobStore = (): JobStore => useJobsContext().store;
export const useConnected = (): boolean => useJobsContext().connected;

/** Null while the job is unknown. */
export function useJob(id: string | null): JobView | null {
  const store = useJobStore();
  return useSyncExternalStore(store.subscribe, () => (id === null ? null : store.view(id)));
}

export function useJobs(): readonly Job[] {
  const store = useJobStore();
  return useSyncExternalStore(store.subscribe, () => store.list());
}
