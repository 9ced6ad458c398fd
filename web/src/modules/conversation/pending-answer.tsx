import { RotateCcw } from 'lucide-react';
import { isEnded } from '#libs/contract/jobs.js';
import { canRetry, screenReaderStatus, statusText } from '../runs/jobs/job-status';
import { JobProgress } from '../submission/results/job-progress';
import type { JobView } from '../runs/state/job-store';
import type { ToolRun } from '../submission/results/use-tool-run';
import { SubmissionProblem } from '../runs/jobs/submission-problem';
import { Button } from '../../shared/ui/button';
import { Notice } from '../../shared/ui/notice';
import { ProgressBar } from '../../shared/ui/progress-bar';
import { Spinner } from '../../shared/ui/spinner';
import { summaryOf } from '../../shared/tools/summary-of';
import { Answer, Question, Speaker } from './message';
import type { CitedLocation } from './page-links';

/** A question whose answer is still being written. */
export interface PendingQuestion {
  question: string;
  /** Null while the job is loading. */
  view: JobView | null;
}

interface PendingAnswerProps {
  pending: PendingQuestion;
  /** Name of who answers. */
  assistant: string;
  run: ToolRun;
  onOpenPage: (location: CitedLocation) => void;
}

export function PendingAnswer({
  pending: { question, view },
  assistant,
  run,
  onOpenPage,
}: PendingAnswerProps) {
  const job = view?.job;
  const hasStopped = job?.status === 'failed' || job?.status === 'cancelled';
  return (
    <>
      <Question text={question} />
      <li>
        <Speaker name={assistant}>
          {job !== undefined && !isEnded(job.status) && (
            <Button size="small" onClick={run.cancel} busy={run.cancelling}>
              Cancel
            </Button>
          )}
        </Speaker>
        {view !== null && view.text !== '' && (
          <Answer
            text={view.text}
            citations={[]}
            streaming={job?.status === 'running'}
            onOpenPage={onOpenPage}
          />
        )}
        {run.problem !== null && (
          <div className="mt-3">
            <SubmissionProblem error={run.problem} onRetry={hasStopped ? run.retry : run.cancel} />
          </div>
        )}
        {job?.status === 'succeeded' ? null : hasStopped ? (
          <div className="mt-3">
            <Notice
              tone={job.status === 'failed' ? 'danger' : 'note'}
              title={job.status === 'failed' ? summaryOf(run.tool).failureMessage : 'Question cancelled'}
              action={
                canRetry(job) && (
                  <Button size="small" onClick={run.retry} busy={run.retrying}>
                    <RotateCcw aria-hidden="true" className="size-4" />
                    Retry
                  </Button>
                )
              }
            >
              {job.status === 'failed'
                ? `${job.error?.message ?? 'Something went wrong on our side.'} You were not charged.`
                : 'You were not charged.'}
            </Notice>
          </div>
        ) : (
          <div className="mt-3 grid max-w-sm gap-2">
            <p className="flex items-center gap-2 text-sm text-quiet">
              <Spinner />
              <span role="status">
                Generating response...
                {job !== undefined && <span className="sr-only"> {screenReaderStatus(job)}</span>}
              </span>
              {job !== undefined && <span aria-hidden="true">{statusText(job)}</span>}
            </p>
            {job === undefined ? (
              <ProgressBar label="Progress of the answer" percent={0} kind="unknown" />
            ) : (
              <JobProgress job={job} label="Progress of the answer" />
            )}
          </div>
        )}
      </li>
    </>
  );
}
