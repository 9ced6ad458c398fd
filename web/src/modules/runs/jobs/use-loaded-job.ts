import { useEffect } from 'react';
import type { JobView } from '../state/job-store';
import { useJob, useJobStore } from '../state/runs-context';

/** A job, which is read where this tab does not know it; null until then, and where there is none. */
export function useLoadedJob(id: string | null): JobView | null {
  const store = useJobStore();
  const view = useJob(id);
  const isUnknown = id !== null && view === null;
  useEffect(() => {
    if (isUnknown) void store.refresh(id);
  }, [store, id, isUnknown]);
  return view;
}
