import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import type { Job } from '#libs/contract/jobs.js';
import { progressText } from '../../modules/runs/batches/batch-text';
import { useFlowEnds } from '../../modules/runs/flows/flow-cache';
import * as flowText from '../../modules/runs/flows/flow-text';
import { useBatchStore } from '../../modules/runs/batches/batches-context';
import { paths } from '../../shared/paths';
import { useJobStore } from '../../modules/runs/jobs/jobs-context';

const outcomes: Partial<Record<Job['status'], string>> = { succeeded: 'Done', failed: 'Not finished' };

/** Lets screen readers announce how a job ended, unless the page shows that job. */
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
  const batches = useBatchStore();
  const { pathname } = useLocation();
  useEffect(
    () =>
      batches.onEnd((batch) => {
        if (pathname !== paths.batch(batch.id)) setMessage(`${batch.title}: ${progressText(batch)}`);
      }),
    [batches, pathname],
  );
  useFlowEnds((flow) => {
    if (pathname !== paths.flow(flow.id)) setMessage(`${flow.title}: ${flowText.progressText(flow)}`);
  });
  return (
    <p role="status" className="sr-only">
      {message}
    </p>
  );
}
