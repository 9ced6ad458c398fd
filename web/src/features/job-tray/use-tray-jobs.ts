import { useEffect, useState } from 'react';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import { useLatestJobs } from '../../shared/jobs/list-jobs';
import { useDismissedJobs } from '../../shared/jobs/dismissed-jobs';
import { useJobs } from '../../shared/jobs/jobs-context';

/** How long an ended job stays in the tray. */
const SHOWN_MS = 30 * 60_000;
const CHECK_MS = 60_000;

/** Active jobs and recently ended ones that were not dismissed, newest first. */
export function useTrayJobs(): readonly Job[] {
  useLatestJobs();
  const jobs = useJobs();
  const dismissed = useDismissedJobs();
  const since = useNow() - SHOWN_MS;
  return jobs.filter(
    ({ id, status, finishedAt }) =>
      !isEnded(status) || (!dismissed.includes(id) && Date.parse(finishedAt ?? '') > since),
  );
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CHECK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
