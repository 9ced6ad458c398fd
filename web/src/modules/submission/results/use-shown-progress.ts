import { useEffect, useState } from 'react';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import { useJobStore } from '../../runs/state/runs-context';
import { shownProgress, type ShownProgress } from './shown-progress';

const TICK_MS = 500;

/** The progress of jobs; estimated progress is updated by a timer. */
export function useShownProgresses(jobs: readonly Job[]): ShownProgress[] {
  const store = useJobStore();
  const isEstimated = jobs.some(({ status, progress, startedAt }) => {
    return !isEnded(status) && startedAt !== null && progress.kind === 'estimated';
  });
  const now = useNow(isEstimated);
  return jobs.map((job) => shownProgress(job, store.secondsSinceStart(job, now)));
}

export const useShownProgress = (job: Job): ShownProgress => useShownProgresses([job])[0]!;

/** Milliseconds of `performance.now()`. */
function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}
