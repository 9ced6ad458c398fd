import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { isEnded } from '#libs/contract/jobs.js';
import type { NotebookDocument } from '#libs/contract/notebooks.js';
import { useJobs, useJobStore } from '../../../modules/runs/state/runs-context';
import { refreshNotebook } from './api/notebook-calls';

/** Refetches what a job of this notebook changes, also for jobs that another tab has started. */
export function useRefreshOnJobs(
  notebookId: string,
  documents: readonly NotebookDocument[] | undefined,
): void {
  const queries = useQueryClient();
  const store = useJobStore();
  useEffect(
    () =>
      store.onEnd((job) => {
        if (job.notebookId === notebookId) void refreshNotebook(queries, notebookId);
      }),
    [store, queries, notebookId],
  );

  const unlisted = useJobs().find(
    (job) =>
      job.tool === 'add-notebook-document' &&
      job.notebookId === notebookId &&
      !isEnded(job.status) &&
      documents?.every(({ jobId }) => jobId !== job.id),
  )?.id;
  useEffect(() => {
    if (unlisted !== undefined) void refreshNotebook(queries, notebookId);
  }, [unlisted, queries, notebookId]);
}
