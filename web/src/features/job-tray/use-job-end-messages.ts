import { useEffect, useEffectEvent } from 'react';
import toast from 'react-hot-toast';
import { useNavigate } from 'react-router-dom';
import { successMessageOf } from '#libs/contract/define-tool.js';
import type { Job } from '#libs/contract/jobs.js';
import { useRunEnds } from '../../modules/runs/lists/run-calls';
import { useJobStore } from '../../modules/runs/state/runs-context';
import { paths } from '../../shared/paths';
import { findSummary } from '../../shared/tools/summary-of';
import { useFindToolPage, useJobPath } from '../../shared/tools/tool-pages';
import { notifyEnd, notifyJobEnd } from './notifications';

/** Shows a toast, or a browser notification if the page is hidden, when a job, batch or flow ends. */
export function useJobEndMessages(): void {
  const store = useJobStore();
  const navigate = useNavigate();
  const findToolPage = useFindToolPage();
  const jobPath = useJobPath();
  const showEnd = useEffectEvent((job: Job) => {
    // The end of a flow's step is not announced; the flow announces its own end.
    if (job.flowId !== undefined) return;
    // Summaries start by themselves when a document opens.
    if (job.tool === 'summarise-document') return;
    // No toast if the user sees the answer in the open chat, or the document in the open notebook.
    const isVisible =
      (job.tool === 'chat-with-pdf' && location.pathname + location.search === jobPath(job)) ||
      (job.notebookId !== undefined && location.pathname === paths.notebook(job.notebookId));
    if (!document.hidden && !isVisible) showToast(job);
    const label = findToolPage(job.tool)?.label ?? 'Your work';
    void notifyJobEnd(job, label, () => void navigate(jobPath(job)));
  });
  useEffect(() => store.onEnd((job) => showEnd(job)), [store]);
  useRunEnds(({ id, title, path, progress, revision, hasFailed }) => {
    const isVisible = location.pathname === path;
    if (!document.hidden && !isVisible)
      (hasFailed ? toast.error : toast.success)(`${title}: ${progress}`, silent);
    // The ID includes the revision: after a retry, a batch or flow ends again and needs another notification.
    void notifyEnd({ id: `${id}:${revision}`, title, body: progress }, true, () => void navigate(path));
  });
}

const silent = { ariaProps: { role: 'status', 'aria-live': 'off' } } as const;

/** Shows a toast unless the job was cancelled. The toast is silent for screen readers, which get JobEndLiveRegion. */
function showToast(job: Job): void {
  const tool = findSummary(job.tool);
  // Jobs of the same request (`group`) share a toast ID, so that only one toast appears.
  const options = { ...silent, id: `${job.group ?? job.id}:${job.status}` };
  if (job.status === 'succeeded' && tool !== undefined)
    toast.success(successMessageOf(tool, job.result), options);
  if (job.status === 'failed') {
    const message = job.error?.message ?? tool?.failureMessage;
    toast.error(message ?? 'Something went wrong on our side.', options);
  }
}
