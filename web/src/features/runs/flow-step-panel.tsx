import toast from 'react-hot-toast';
import { Link } from 'react-router-dom';
import { RotateCcw } from 'lucide-react';
import { z } from 'zod';
import type { Flow, FlowStep } from '#libs/contract/flows.js';
import type { Job } from '#libs/contract/jobs.js';
import { withoutSources } from '#libs/contract/markdown.js';
import { ResultNextSteps } from '../../modules/creations/creation-actions';
import { useJobPreview } from '../../modules/image-editor/use-job-preview';
import { canRetry, StateIcon, statusText } from '../../modules/runs/jobs/job-status';
import type { JobView } from '../../modules/runs/state/job-store';
import { useLoadedJob, useRetryJob } from '../../modules/runs/jobs/job-calls';
import { formatCount } from '../../shared/lib/format';
import { sameOriginUrl } from '../../shared/lib/same-origin-url';
import { useFocusKeeper } from '../../shared/lib/use-focus-keeper';
import { Markdown } from '../../shared/markdown/markdown';
import { paths } from '../../shared/paths';
import { JobProgress } from '../../modules/submission/results/job-progress';
import { useFindToolPage } from '../../shared/tools/tool-pages';
import { Button, buttonClass } from '../../shared/ui/button';
import { TitleChoice } from './title-choice';

const pictureSchema = z.object({ content: z.string(), width: z.number(), height: z.number() });
const scoreSchema = z.object({ content: z.object({ score: z.number() }) });

interface FlowStepPanelProps {
  flow: Flow;
  step: FlowStep;
}

export function FlowStepPanel({ flow, step }: FlowStepPanelProps) {
  const { tool, state, jobId, creationId, error } = step;
  const label = useLabels();
  const view = useLoadedJob(jobId);
  const retry = useRetryJob();
  const panel = useFocusKeeper<HTMLLIElement>();
  const title = label(tool);
  const isAtWork = state === 'queued' || state === 'running';
  const hasStopped = state === 'failed' || state === 'cancelled';
  const isOpen = flow.status === 'open' || flow.status === 'stopped';
  return (
    <li ref={panel} tabIndex={-1} className="panel min-w-0 p-5 outline-none sm:p-8">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="flex items-center gap-3 text-xl">
            <StateIcon state={state} className="size-5" />
            {title}
          </h2>
          <p className="mt-1 text-sm wrap-anywhere text-quiet">{stateText(flow, step, view, label)}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {hasStopped && isOpen && jobId !== null && canRetry({ status: state, error }) && (
            <Button
              size="small"
              busy={retry.isPending}
              aria-label={`Try again: ${title}`}
              onClick={() => retry.mutate(jobId, { onError: ({ message }) => void toast.error(message) })}
            >
              <RotateCcw aria-hidden="true" className="size-4" />
              Try again
            </Button>
          )}
          {creationId !== null && (
            <Link
              to={paths.creation(creationId)}
              aria-label={`Open the result: ${title}`}
              className={buttonClass('plain', 'small')}
            >
              Open the result
            </Link>
          )}
        </div>
      </div>
      {isAtWork && view !== null && (
        <div className="mt-4">
          <JobProgress job={view.job} label={`Progress of ${title}`} />
        </div>
      )}
      {view !== null && flow.awaitsTitleFrom !== step.n && <StepResult view={view} title={title} />}
      {tool === 'generate-blog-title' && creationId !== null && (
        <>
          {flow.awaitsTitleFrom === step.n && view !== null ? (
            <TitleChoice flow={flow} job={view.job} />
          ) : (
            <ResultNextSteps id={creationId} />
          )}
        </>
      )}
    </li>
  );
}

/** Shows the result of a step: a text, also while it is written, an image, or a score. */
function StepResult({ view: { job, text }, title }: { view: JobView; title: string }) {
  const preview = useJobPreview(job);
  const picture = pictureSchema.safeParse(job.result).data;
  const score = scoreSchema.safeParse(job.result).data;
  if (job.resultDeleted) return null;
  if (picture !== undefined || preview !== null)
    return (
      <img
        src={picture === undefined ? preview! : sameOriginUrl(picture.content)}
        width={picture?.width}
        height={picture?.height}
        alt={picture === undefined ? `${job.title}, not finished` : job.title}
        className="checker mt-5 h-auto w-full max-w-xl rounded-control"
      />
    );
  if (score !== undefined) return <p className="mt-5 text-2xl">{`${score.content.score} of 100`}</p>;
  if (text === '') return null;
  return (
    // Keyboard users must be able to focus a scrollable region.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label={`Text: ${title}`} tabIndex={0} className="mt-5 max-h-80 overflow-y-auto">
      <Markdown text={withoutSources(text)} streaming={job.status === 'running'} />
    </div>
  );
}

function useLabels(): (tool: string) => string {
  const findToolPage = useFindToolPage();
  return (tool) => findToolPage(tool)?.label ?? tool;
}

const notCharged = (text: string) => `${text.replace(/\.?$/, '.')} You were not charged.`;

function stateText(
  flow: Flow,
  { state, note, needs, error }: FlowStep,
  view: JobView | null,
  label: (tool: string) => string,
): string {
  switch (state) {
    case 'waiting': {
      const needed = flow.steps.find(({ n }) => n === needs);
      if (flow.awaitsTitleFrom !== null && needs === flow.awaitsTitleFrom)
        return 'Starts when you have chosen the title';
      return note ?? (needed === undefined ? 'Starts in a moment' : `Starts after ${label(needed.tool)}`);
    }
    case 'queued':
    case 'running':
      return view === null ? 'In progress' : statusText(view.job);
    case 'succeeded':
      return view === null ? 'Done' : doneText(view.job);
    case 'failed':
      return notCharged(error?.message ?? 'Failed');
    case 'cancelled':
      return notCharged('Cancelled');
    case 'left-out':
      return notCharged(note ?? 'Left out');
  }
}

const doneText = (job: Job) =>
  job.credits === 0 ? statusText(job) : `${statusText(job)}, ${formatCount(job.credits, 'credit')} used`;
