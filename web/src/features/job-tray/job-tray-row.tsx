import { useNavigate } from 'react-router-dom';
import { ArrowUpRight, RotateCcw, Square, X } from 'lucide-react';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import { useCancelJob, useRetryJob } from '../../modules/runs/jobs/job-calls';
import { JobProgress } from '../../modules/submission/results/job-progress';
import { priorityText } from '../../modules/submission/results/displayed-progress';
import { canRetry, StatusIcon, statusText } from '../../modules/runs/jobs/job-status';
import { SubmissionProblem } from '../../modules/runs/jobs/submission-problem';
import { IconButton } from '../../shared/ui/icon-button';
import { dismissedRuns } from '../../modules/runs/state/dismissed-runs';
import { useFindToolPage, useJobPath } from '../../shared/tools/tool-pages';

export function JobTrayRow({ job }: { job: Job }) {
  const navigate = useNavigate();
  const jobPath = useJobPath();
  const findToolPage = useFindToolPage();
  const cancel = useCancelJob();
  const retry = useRetryJob();
  const ended = isEnded(job.status);
  const priority = priorityText(job);
  const problem = cancel.error ?? retry.error;
  const open = () => void navigate(jobPath(job));
  return (
    <li className="border-b border-line px-4 py-2 last:border-b-0">
      <div className="flex items-center gap-3">
        <StatusIcon job={job} />
        <div className="min-w-0 flex-1">
          <p className="truncate text-[0.9375rem]" title={job.title}>
            {job.title}
          </p>
          <p className="text-sm text-quiet">
            {findToolPage(job.tool)?.label ?? job.tool}
            <span aria-hidden="true"> · </span>
            {statusText(job)}
            {priority !== null && (
              <>
                <span aria-hidden="true"> · </span>
                {priority}
              </>
            )}
          </p>
        </div>
        <div className="-mr-2 flex">
          {(!ended || job.status === 'succeeded') && (
            <IconButton icon={ArrowUpRight} label={`Open: ${job.title}`} onClick={open} />
          )}
          {!ended && (
            <IconButton
              icon={Square}
              label={`Cancel: ${job.title}`}
              busy={cancel.isPending}
              onClick={() => cancel.mutate(job.id)}
            />
          )}
          {canRetry(job) && (
            <IconButton
              icon={RotateCcw}
              label={`Retry: ${job.title}`}
              busy={retry.isPending}
              onClick={() => retry.mutate(job.id)}
            />
          )}
          {ended && (
            <IconButton
              icon={X}
              label={`Dismiss: ${job.title}`}
              onClick={(button) => {
                moveFocusToNeighbour(button);
                dismissedRuns.add(job.id);
              }}
            />
          )}
        </div>
      </div>
      {!ended && (
        <div className="mt-2 mb-1">
          <JobProgress job={job} label={`Progress of ${job.title}`} />
        </div>
      )}
      {job.status === 'failed' && problem === null && (
        <p className="mt-1 pl-7 text-sm text-quiet">
          {job.error?.message ?? 'Something went wrong on our side.'} You were not charged.
        </p>
      )}
      {problem !== null && (
        <div className="my-2">
          <SubmissionProblem
            error={problem}
            onRetry={() => (cancel.error === null ? retry.mutate(job.id) : cancel.mutate(job.id))}
          />
        </div>
      )}
    </li>
  );
}

/** Moves the focus from a row that is removed to the next or previous row, or else to the tray's button. */
export function moveFocusToNeighbour(button: HTMLButtonElement): void {
  const row = button.closest('li');
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  const next =
    neighbour?.querySelector<HTMLElement>('button:last-of-type') ??
    button.closest('section')?.querySelector<HTMLElement>('button[aria-expanded]');
  next?.focus({ preventScroll: true });
}
