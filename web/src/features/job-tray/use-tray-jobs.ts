import { useEffect, useState } from 'react';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import { useLatestJobs } from '../../modules/runs/jobs/job-calls';
import { summarizeBatch, summarizeFlow, type RunSummary } from '../../modules/runs/lists/run-summary';
import { useDismissedRuns } from '../../modules/runs/state/dismissed-runs';
import {
  useBatches,
  useBatchStore,
  useFlows,
  useFlowStore,
  useJobs,
} from '../../modules/runs/state/runs-context';

/** Time for which an ended job stays in the tray. */
const VISIBLE_MS = 30 * 60_000;
const CHECK_MS = 60_000;

/** The jobs in the tray, newest first: active jobs, and recently ended jobs that the user has not dismissed. */
export function useTrayJobs(): readonly Job[] {
  useLatestJobs();
  const jobs = useJobs();
  const dismissed = useDismissedRuns();
  const since = useNow() - VISIBLE_MS;
  return jobs.filter(
    ({ id, tool, status, finishedAt, batchId, flowId }) =>
      // Summaries start by themselves when a document opens.
      tool !== 'summarise-document' &&
      batchId === undefined &&
      flowId === undefined &&
      (!isEnded(status) || (!dismissed.includes(id) && Date.parse(finishedAt ?? '') > since)),
  );
}

/** The batches and flows in the tray: active or stopped, or ended since the page was loaded and not dismissed. */
export function useTrayRuns(): readonly RunSummary[] {
  const batches = useBatchStore();
  const flows = useFlowStore();
  const runs = [...useBatches().map(summarizeBatch), ...useFlows().map(summarizeFlow)];
  const dismissed = useDismissedRuns();
  return runs.filter(
    ({ id, isAtWork, isStopped }) =>
      isAtWork || ((isStopped || batches.wasOpen(id) || flows.wasOpen(id)) && !dismissed.includes(id)),
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
