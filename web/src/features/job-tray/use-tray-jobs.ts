import { useEffect, useState } from 'react';
import type { Batch } from '#libs/contract/batches.js';
import type { Flow } from '#libs/contract/flows.js';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import { isAtWork } from '../../modules/runs/batches/batch-text';
import { useBatches, useBatchStore } from '../../modules/runs/batches/batches-context';
import { useFlows, wasOpen } from '../../modules/runs/flows/flow-cache';
import { useLatestJobs } from '../../modules/runs/jobs/list-jobs';
import { useDismissedJobs } from '../../modules/runs/jobs/dismissed-jobs';
import { useJobs } from '../../modules/runs/jobs/jobs-context';

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
    ({ id, status, finishedAt, batchId, flowId }) =>
      batchId === undefined &&
      flowId === undefined &&
      (!isEnded(status) || (!dismissed.includes(id) && Date.parse(finishedAt ?? '') > since)),
  );
}

/** Batches at work, and those that ended meanwhile, until they are dismissed. */
export function useTrayBatches(): readonly Batch[] {
  const store = useBatchStore();
  const batches = useBatches();
  const dismissed = useDismissedJobs();
  return batches.filter(
    (batch) => isAtWork(batch) || (store.wasOpen(batch.id) && !dismissed.includes(batch.id)),
  );
}

/** Flows at work, those that wait for a step to be tried again, and those that ended meanwhile, until they are dismissed. */
export function useTrayFlows(): readonly Flow[] {
  const flows = useFlows();
  const dismissed = useDismissedJobs();
  return flows.filter(
    ({ id, status }) =>
      status === 'open' || ((status === 'stopped' || wasOpen(id)) && !dismissed.includes(id)),
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
