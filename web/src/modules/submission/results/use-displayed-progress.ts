import { useEffect, useState } from 'react';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import { useJobStore } from '../../runs/state/runs-context';
import { displayedProgress, type DisplayedProgress } from './displayed-progress';

const TICK_MS = 500;

/** Progress of each job. While any progress is estimated, a timer updates the estimates. */
export function useDisplayedProgresses(jobs: readonly Job[]): DisplayedProgress[] {
  const store = useJobStore();
  const isEstimated = jobs.some(({ status, progress, startedAt }) => {
    return !isEnded(status) && startedAt !== null && progress.kind === 'estimated';
  });
  const now = useNow(isEstimated);
  return jobs.map((job) => displayedProgress(job, store.secondsSinceStart(job, now)));
}

export const useDisplayedProgress = (job: Job): DisplayedProgress => useDisplayedProgresses([job])[0]!;

/** The current `performance.now()`, updated regularly while `isTicking` is true. */
function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}
