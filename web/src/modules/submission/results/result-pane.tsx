import type { ReactNode } from 'react';
import clsx from 'clsx';
import { RotateCcw } from 'lucide-react';
import type { ErrorCode } from '#libs/contract/errors.js';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import type { JobView } from '../../runs/state/job-store';
import { formatCount } from '../../../shared/lib/format';
import { Button, buttonClass } from '../../../shared/ui/button';
import { Notice } from '../../../shared/ui/notice';
import { useCreation } from '../../creations/api/creation-pages';
import { ResultNextSteps } from '../../creations/creation-actions';
import { RunInput } from '../../creations/run-input';
import { CornerMarks } from '../../../shared/ui/corner-marks';
import { Loading } from '../../../shared/ui/spinner';
import { EngineNote, resultEngineOf, NoServiceHint } from './engine-note';
import { JobProgress } from './job-progress';
import { canRetry, screenReaderStatus, statusText, StatusIcon } from '../../runs/jobs/job-status';
import { priorityText } from './displayed-progress';
import { findSummary, summaryOf } from '../../../shared/tools/summary-of';
import { SubmissionProblem } from '../../runs/jobs/submission-problem';
import type { ToolRun } from './use-tool-run';

/** The id of the pane, for links to it. */
export const RESULT_ID = 'result';

interface ResultPaneProps {
  run: ToolRun;
  title?: string;
  /** Text of the empty pane. */
  prompt?: string;
  sample: ReactNode;
  /** True if the header is sticky. */
  pinned?: boolean;
  actions: (view: JobView) => ReactNode;
  /** Renders the result, or what has arrived of it. */
  children: (view: JobView) => ReactNode;
}

export function ResultPane(props: ResultPaneProps) {
  const { id, view, paneRef } = props.run;
  return (
    <section ref={paneRef} id={RESULT_ID} aria-label="Result" className="@container panel relative min-w-0">
      {view !== null ? <Run {...props} view={view} /> : id !== null ? <JobLoading /> : <Sample {...props} />}
    </section>
  );
}

function JobLoading() {
  return (
    <div className="grid min-h-96">
      <Loading label="Loading the result" />
    </div>
  );
}

function Sample({ title, prompt, sample, run: { tool, engine, cost } }: ResultPaneProps) {
  return (
    <>
      <CornerMarks />
      <header className="px-6 pt-12 pb-6 @md:px-12">
        <h2 className="text-2xl">{title ?? 'Your result appears here'}</h2>
        {prompt !== undefined && <p className="mt-2 max-w-md text-quiet">{prompt}</p>}
        <Details>
          {engine !== undefined && <EngineNote engine={engine} past={false} />}
          <span>{cost}</span>
        </Details>
        {!summaryOf(tool).runsOnModels && <NoServiceHint engine={engine} />}
      </header>
      <div className="relative mx-6 border-t border-line pt-6 pb-14 @md:mx-12">
        <p className="mb-4 font-mono text-xs text-quiet">Sample result</p>
        <div className="max-h-[30rem] overflow-hidden text-quiet [mask-image:linear-gradient(black_22rem,transparent_30rem)]">
          {sample}
        </div>
      </div>
    </>
  );
}

function Run({ run, title, view, pinned = true, actions, children }: ResultPaneProps & { view: JobView }) {
  const { job } = view;
  const ended = isEnded(job.status);
  const priority = priorityText(job);
  const maker =
    resultEngineOf(job.result) ?? (ended || run.engine === undefined ? null : { engine: run.engine });
  const hasResult = job.status === 'succeeded' && !job.resultDeleted;
  const hasStopped = job.status === 'failed' || job.status === 'cancelled';
  const creationId = hasResult ? creationIdOf(job) : null;
  const isLoading = useCreation(creationId).isLoading;
  return (
    <>
      {/* Sticky only on high screens, so that enough room is left for the result. */}
      <header
        className={clsx(
          'top-16 z-10 rounded-t-panel bg-raised px-6 pt-6 @md:px-12 @md:pt-8',
          pinned && '[@media(width>=40rem)_and_(height>=40rem)]:sticky',
        )}
      >
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 className="flex min-w-0 flex-1 basis-40 items-center gap-3 text-2xl">
            <StatusIcon job={job} className="size-5" />
            {(hasResult && title) || statusText(job)}
          </h2>
          <p className="w-full truncate text-sm text-quiet @xl:order-last" title={job.title}>
            {job.title}
          </p>
          {/* The minimum width prevents a layout shift when the actions change. */}
          <div className="mt-1 flex min-w-56 flex-wrap gap-2 @xl:mt-0 @xl:justify-end">
            {(!ended || isLoading) && <ActionsPlaceholder />}
            {!ended && (
              <Button size="small" onClick={run.cancel} busy={run.cancelling}>
                Cancel
              </Button>
            )}
            {canRetry(job) && (
              <Button size="small" onClick={run.retry} busy={run.retrying}>
                <RotateCcw aria-hidden="true" className="size-4" />
                Retry
              </Button>
            )}
            {hasResult && actions(view)}
          </div>
        </div>
        <Details>
          {maker !== null && <EngineNote {...maker} past={ended} />}
          <span>{ended ? chargeText(job) : run.cost}</span>
          {priority !== null && <span>{priority}</span>}
        </Details>
        {(!ended || creationId !== null) && <RunInput creationId={creationId} />}
        {/* The minimum height prevents a layout shift when the progress bar appears or disappears. */}
        <div className="flex min-h-12 flex-col justify-end">
          {ended ? (
            <hr className="border-line" />
          ) : (
            <div className="pt-4 pb-1">
              <JobProgress job={job} label="Progress of the run" />
            </div>
          )}
        </div>
        <p role="status" className="sr-only">
          {screenReaderStatus(job)}
        </p>
        {/* In the sticky header, so that the error is visible at any scroll position. */}
        {run.problem !== null && (
          <div className="pt-4">
            <SubmissionProblem error={run.problem} onRetry={ended ? run.retry : run.cancel} />
          </div>
        )}
        {hasStopped && run.problem === null && <FailureNotice job={job} />}
      </header>
      <div className="min-h-80 px-6 pt-6 pb-12 @md:px-12">
        {job.resultDeleted ? <DeletedNotice /> : children(view)}
        {hasResult && <ResultNextSteps id={creationId} />}
      </div>
    </>
  );
}

/** The room that the actions of a result take, so that nothing below moves when they appear. */
const ActionsPlaceholder = () =>
  ['Download', 'Another result', 'Change the prompt', 'Edit'].map((label) => (
    <span key={label} aria-hidden="true" className={clsx(buttonClass('plain', 'small'), 'invisible')}>
      {label}
    </span>
  ));

/** ID of the creation that a finished job stored; null if there is none. */
export function creationIdOf({ result }: Job): string | null {
  const id = result?.['creationId'];
  return typeof id === 'string' ? id : null;
}

const failureTitles: Partial<Record<ErrorCode, string>> = {
  JOB_TIMED_OUT: 'This took too long',
  UNREADABLE_PDF: 'This PDF could not be read',
  UNREADABLE_DOCUMENT: 'This file could not be read',
  UNREADABLE_IMAGE: 'This image could not be read',
  BUDGET_EXHAUSTED: 'The AI service is used up for this month',
  ENGINE_CANNOT: 'This engine cannot do that',
  NOT_FOUND: 'The source no longer exists',
};

function FailureNotice({ job }: { job: Job }) {
  const title =
    job.status === 'cancelled'
      ? 'You cancelled this run'
      : ((job.error && failureTitles[job.error.code]) ??
        failureMessageOf(job) ??
        'The engine could not finish');
  return (
    <div className="pt-4">
      <Notice tone={job.status === 'cancelled' ? 'note' : 'danger'} title={title}>
        {job.status === 'cancelled'
          ? 'You were not charged. Retry runs it again with the same input.'
          : `${job.error?.message ?? 'Something went wrong on our side.'} Your input is still here.`}
      </Notice>
    </div>
  );
}

function DeletedNotice() {
  return (
    <Notice tone="note" title="This result was deleted">
      The result of this run is no longer available. Fill in the form to create another.
    </Notice>
  );
}

const failureMessageOf = ({ tool }: Job) => findSummary(tool)?.failureMessage;

function Details({ children }: { children: ReactNode }) {
  return <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm text-quiet">{children}</p>;
}

function chargeText(job: Job): string {
  if (job.status !== 'succeeded') return 'Not charged';
  return job.credits === 0 ? 'No credits used' : `${formatCount(job.credits, 'credit')} used`;
}
