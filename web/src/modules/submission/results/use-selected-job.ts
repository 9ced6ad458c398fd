import { useCallback, useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { useChangeParameters } from '../../../shared/lib/use-change-parameters';
import { useRecentJobs } from '../../runs/jobs/job-calls';
import { dismissedRuns } from '../../runs/state/dismissed-runs';
import { useJob, useJobs, useJobStore } from '../../runs/state/runs-context';
import type { JobView } from '../../runs/state/job-store';
import { COMPARE_PARAMETER } from '../../../shared/paths';

const PARAMETER = 'job';

interface SelectedJob {
  id: string | null;
  /** Null while the job is loading, or if none is selected. */
  view: JobView | null;
  /** The tool's latest jobs, newest first. */
  jobs: readonly Job[];
  /** ID of the earlier creation to compare the result with. */
  earlierId: string | null;
  select: (id: string | null, earlierId?: string | null) => void;
}

/**
 * The job that a tool's page shows. Its ID is in the URL. Without an ID, the newest unfinished job is selected.
 * @param notebookId limits the jobs to those of one notebook
 */
export function useSelectedJob(tool: ToolName, notebookId?: string): SelectedJob {
  const [parameters] = useSearchParams();
  const change = useChangeParameters();
  const store = useJobStore();
  const recent = useRecentJobs(tool);
  const jobs = useJobs().filter(
    (job) => job.tool === tool && (notebookId === undefined || job.notebookId === notebookId),
  );
  const id = parameters.get(PARAMETER);
  const view = useJob(id);

  const select = useCallback(
    (next: string | null, earlierId: string | null = null) =>
      change({ [PARAMETER]: next, [COMPARE_PARAMETER]: earlierId }),
    [change],
  );

  const unfinished = recent.isSuccess ? jobs.find(({ status }) => !isEnded(status))?.id : undefined;
  useEffect(() => {
    if (id === null && unfinished !== undefined) select(unfinished);
  }, [id, unfinished, select]);

  // Fetch the selected job once: jobs from lists have no text, and jobs of other tabs may not be in the store.
  useEffect(() => {
    if (id === null || store.view(id)?.job.status === 'succeeded') return;
    let current = true;
    void store.refresh(id).then((exists) => {
      if (!exists && current) select(null);
    });
    return () => {
      current = false;
    };
  }, [id, store, select]);

  // Once the user has seen a result, the tray no longer lists it.
  const shownResult = view?.job.status === 'succeeded' ? id : null;
  useEffect(() => {
    if (shownResult === null) return;
    return () => {
      if (!document.hidden) dismissedRuns.add(shownResult);
    };
  }, [shownResult]);

  return { id, view, jobs, earlierId: parameters.get(COMPARE_PARAMETER), select };
}
