import { useEffect } from 'react';
import toast from 'react-hot-toast';
import { useNavigate } from 'react-router-dom';
import { isToolName, tools } from '#libs/tools/catalogue.js';
import type { Job } from '#libs/contract/jobs.js';
import { useJobStore } from '../live/live-context';
import { jobPath } from '../pages/tools/registry';
import { notifyOfEnd } from './notifications';

/** Says how each job ends: on the page to who looks at it, through the browser to who does not. */
export function useAnnouncements(): void {
  const store = useJobStore();
  const navigate = useNavigate();
  useEffect(
    () =>
      store.onEnd((job) => {
        if (!document.hidden) showToast(job);
        void notifyOfEnd(job, () => void navigate(jobPath(job)));
      }),
    [store, navigate],
  );
}

/** A cancelled job needs no news. What is read out is the tray's and the proof's own. */
function showToast(job: Job): void {
  const silent = { ariaProps: { role: 'status', 'aria-live': 'off' } } as const;
  if (job.status === 'succeeded' && isToolName(job.tool))
    toast.success(tools[job.tool].successMessage, silent);
  if (job.status === 'failed') {
    const words = job.error?.message ?? (isToolName(job.tool) ? tools[job.tool].failureMessage : undefined);
    toast.error(words ?? 'Something went wrong on our side.', silent);
  }
}
