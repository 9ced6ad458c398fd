import { useEffect, useState } from 'react';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import { useLatestJobs } from '../../shared/jobs/list-jobs';
import { useDismissed } from '../../shared/jobs/dismissed';
import { useJobs } from '../../shared/jobs/live-context';

/** How long an ended job stays in the tray when nobody dismisses it. */
const KEPT_MS = 30 * 60_000;
const LOOK_AGAIN_MS = 60_000;

/** What the tray lists, newest first: all that has not ended, and what ended lately and was not put away. */
export function useTrayJobs(): readonly Job[] {
  useLatestJobs();
  const jobs = useJobs();
  const put = useDismissed();
  const since = useNow() - KEPT_MS;
  return jobs.filter(
    ({ id, status, finishedAt }) =>
      !isEnded(status) || (!put.includes(id) && Date.parse(finishedAt ?? '') > since),
  );
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
