import { useCallback, useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { useRecentJobs } from '../jobs/list-jobs';
import { dismissed } from '../jobs/dismissed';
import { useJob, useJobs, useJobStore } from '../jobs/live-context';
import type { JobView } from '../jobs/job-store';

const PARAMETER = 'job';

interface SelectedJob {
  id: string | null;
  /** Null while it is on its way. */
  view: JobView | null;
  /** The tool's latest jobs, newest first. */
  jobs: readonly Job[];
  select: (id: string | null) => void;
}

/**
 * The job that a tool's page shows. Its id stands in the address, so that a reload finds it; without one, the
 * newest that has not ended is taken up.
 */
export function useSelectedJob(tool: ToolName): SelectedJob {
  const [parameters, setParameters] = useSearchParams();
  const store = useJobStore();
  const recent = useRecentJobs(tool);
  const jobs = useJobs().filter((job) => job.tool === tool);
  const id = parameters.get(PARAMETER);
  const view = useJob(id);

  const select = useCallback(
    (next: string | null) => setParameters(next === null ? {} : { [PARAMETER]: next }, { replace: true }),
    [setParameters],
  );

  const unfinished = recent.isSuccess ? jobs.find(({ status }) => !isEnded(status))?.id : undefined;
  useEffect(() => {
    if (id === null && unfinished !== undefined) select(unfinished);
  }, [id, unfinished, select]);

  // A list has no text, and another tab may have begun the job: what is shown is always read once.
  useEffect(() => {
    if (id === null || isEnded(store.view(id)?.job.status ?? 'queued')) return;
    let current = true;
    void store.refresh(id).then((exists) => {
      if (!exists && current) select(null);
    });
    return () => {
      current = false;
    };
  }, [id, store, select]);

  // Who saw a result on its page and goes on needs no reminder of it.
  const seen = view?.job.status === 'succeeded' ? id : null;
  useEffect(() => {
    if (seen === null) return;
    return () => {
      if (!document.hidden) dismissed.add(seen);
    };
  }, [seen]);

  return { id, view, jobs, select };
}
