import { useEffect } from 'react';
import type { JobView } from '../state/job-store';
import { useJob, useJobStore } from '../state/runs-context';

/** A job, fetched if it is unknown; null while it is loading, and without an id. */
export function useLoadedJob(id: string | null): JobView | null {
  const store = useJobStore();
  const view = useJob(id);
  const isUnknown = id !== null && view === null;
  useEffect(() => {
    if (isUnknown) void store.refresh(id);
  }, [store, id, isUnknown]);
  return view;
}
