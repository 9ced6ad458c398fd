import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import type { Job } from '#libs/contract/jobs.js';
import { useRunEnds } from '../../modules/runs/lists/run-calls';
import { useJobStore } from '../../modules/runs/state/runs-context';

const outcomes: Partial<Record<Job['status'], string>> = { succeeded: 'Done', failed: 'Failed' };

/** Live region that announces how a job, batch or flow ended, unless the current page shows the job itself. */
export function JobEndLiveRegion() {
  const store = useJobStore();
  const shown = useSearchParams()[0].get('job');
  const [message, setMessage] = useState('');
  useEffect(
    () =>
      store.onEnd(({ id, status, title, flowId }) => {
        const outcome = outcomes[status];
        if (outcome !== undefined && id !== shown && flowId === undefined) setMessage(`${outcome}: ${title}`);
      }),
    [store, shown],
  );
  const { pathname } = useLocation();
  useRunEnds(({ path, title, progress }) => {
    if (pathname !== path) setMessage(`${title}: ${progress}`);
  });
  return (
    <p role="status" className="sr-only">
      {message}
    </p>
  );
}
