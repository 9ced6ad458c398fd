import { useEffect, useRef } from 'react';
import toast from 'react-hot-toast';
import { useNavigate } from 'react-router-dom';
import { isEnded } from '#libs/contract/jobs.js';
import type { NotebookNote } from '#libs/contract/notebooks.js';
import { useLoadedJob, useSubmitJob } from '../../../../modules/runs/jobs/job-calls';
import { creationIdOf } from '../../../../modules/submission/results/result-pane';
import { paths } from '../../../../shared/paths';

/**
 * Makes a text of the notes and opens it in the editor.
 * @param notes the notes to use; null for all
 */
export function useNotesText(notebookId: string, notes: readonly NotebookNote[] | null) {
  const navigate = useNavigate();
  const submission = useSubmitJob('notes-to-text');
  const job = useLoadedJob(submission.data?.id ?? null)?.job;
  const openedId = useRef<string>(null);

  useEffect(() => {
    if (job === undefined || openedId.current === job.id) return;
    if (!isEnded(job.status)) return;
    openedId.current = job.id;
    const creationId = creationIdOf(job);
    if (job.status !== 'succeeded') toast.error(job.error?.message ?? 'The text was not made.');
    else void navigate(creationId === null ? paths.dashboard : paths.editedCreation(creationId));
  }, [job, navigate]);

  return {
    make: () =>
      submission.mutate({
        input: { notebook_id: notebookId, ...(notes && { notes: notes.map(({ id }) => id) }) },
      }),
    busy: submission.isPending || (job !== undefined && !isEnded(job.status)),
    problem: submission.error,
  };
}
