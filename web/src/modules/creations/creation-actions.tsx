import { lazy, Suspense } from 'react';
import { ImageUp, Pencil, RefreshCw } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import toast from 'react-hot-toast';
import type { Creation } from '#libs/contract/creations.js';
import type { Job } from '#libs/contract/jobs.js';
import { useConfig } from '../../shared/account/read-config';
import { useCreation } from './api/creation-pages';
import { useSubmitJob } from '../runs/jobs/job-calls';
import { paths, SOURCE_PARAMETER } from '../../shared/paths';
import { useFindToolPage } from '../../shared/tools/tool-pages';
import { Button, buttonClass } from '../../shared/ui/button';
import { RepeatButton, RepeatEdit } from './repeat-edit';
import { formOf, canVary, promptToolOf, resumeFormOf, resumeToolOf, takesText } from './reuse';
import { ShareText } from './share-text';

const NextStepsNav = lazy(async () => ({ default: (await import('./next-steps-nav')).NextStepsNav }));
const SendToMenu = lazy(async () => ({ default: (await import('./send-to-menu')).SendToMenu }));

/** @param earlierId ID of the creation to compare the new result with */
export type OnStarted = (job: Job, earlierId?: string) => void;

interface CreationActionsProps {
  creation: Creation;
  /** Called with a new job, to show it. Without this callback, there is no button for another result. */
  onStarted?: OnStarted;
}

/** Actions for a creation: create another result, change the prompt, use a newer resume, or send it to an image tool. */
export function CreationActions({ creation, onStarted }: CreationActionsProps) {
  const tool = promptToolOf(creation);
  const engine = useConfig().data?.tools.find(({ name }) => name === tool)?.engine;
  return (
    <>
      {tool !== null && onStarted !== undefined && canVary(tool, engine) && (
        <RepeatPrompt creation={creation} tool={tool} onStarted={onStarted} />
      )}
      {tool === null && creation.jobId !== null && creation.type === 'image' && onStarted !== undefined && (
        <RepeatEdit jobId={creation.jobId} onStarted={onStarted} />
      )}
      {tool !== null && <ChangePrompt creation={creation} tool={tool} />}
      <RepeatResumeLink creation={creation} />
      {creation.editable && <ShareText creationId={creation.id} />}
      {creation.type === 'image' && (
        <Suspense
          fallback={
            <Button size="small" disabled>
              <ImageUp aria-hidden="true" className="size-4" />
              Send to…
            </Button>
          }
        >
          <SendToMenu creationId={creation.id} />
        </Suspense>
      )}
    </>
  );
}

/** The actions for the creation with `id`. Renders nothing if the creation was deleted. */
export function ResultActions({ id, onStarted }: { id: string | null; onStarted: OnStarted }) {
  const creation = useCreation(id).data;
  return creation === undefined ? null : <CreationActions creation={creation} onStarted={onStarted} />;
}

/** Links to tools that take this creation as input. Renders nothing until the creation is loaded. */
export function NextSteps({ creation }: { creation: Creation | undefined }) {
  if (creation === undefined) return null;
  return (
    <Suspense fallback={null}>
      <NextStepsNav creation={creation} />
    </Suspense>
  );
}

export const ResultNextSteps = ({ id }: { id: string | null }) => (
  <NextSteps creation={useCreation(id).data} />
);

type ToolProps = { creation: Creation; tool: NonNullable<ReturnType<typeof promptToolOf>> };

const changeLabel = (tool: ToolProps['tool']) => (takesText(tool) ? 'Change the text' : 'Change the prompt');

/** Creates another result from the same prompt. */
function RepeatPrompt({ creation, tool, onStarted }: ToolProps & { onStarted: OnStarted }) {
  const submission = useSubmitJob(tool);
  const submit = async () => {
    const [{ tools }, { titlesToExclude }] = await Promise.all([
      import('#libs/tools/catalogue.js'),
      import('./next-steps'),
    ]);
    const fields = {
      ...formOf(creation),
      ...(creation.madeFrom && { creation: creation.madeFrom }),
      ...(tool === 'generate-blog-title' && { exclude: titlesToExclude(creation.content) }),
    };
    const input = tools[tool].input.safeParse(fields);
    if (!input.success) toast.error(`Its settings are no longer available. ${changeLabel(tool)} instead.`);
    else
      submission.mutate(
        { input: input.data },
        {
          onSuccess: (job) => onStarted(job, creation.type === 'image' ? undefined : creation.id),
          onError: ({ message }) => toast.error(message),
        },
      );
  };
  return (
    <RepeatButton
      busy={submission.isPending}
      onClick={() =>
        void submit().catch(() => toast.error('Pressroom cannot be reached. Try again in a moment.'))
      }
    />
  );
}

function ChangePrompt({ creation, tool }: ToolProps) {
  const page = useFindToolPage()(tool);
  const { pathname, search } = useLocation();
  if (page === undefined) return null;
  const target = paths.tool(page.segment);
  const parameters = new URLSearchParams(pathname === target ? search : '');
  parameters.delete(SOURCE_PARAMETER);
  if (creation.madeFrom !== null) parameters.set(SOURCE_PARAMETER, creation.madeFrom);
  return (
    <Link
      to={{ pathname: target, search: parameters.toString() }}
      state={{ fill: formOf(creation) }}
      className={buttonClass('plain', 'small')}
    >
      <Pencil aria-hidden="true" className="size-4" />
      {changeLabel(tool)}
    </Link>
  );
}

const repeatLabels = {
  'resume-review': 'Review again',
  'calculate-ats-score': 'Score again',
  'tailored-bullets': 'Tailor again',
  'cover-letter': 'Write again',
};

/**
 * A link back to the form. The server deletes resumes after the job, so the form asks for the file if this browser lacks it.
 */
function RepeatResumeLink({ creation }: { creation: Creation }) {
  const tool = resumeToolOf(creation);
  const page = useFindToolPage()(tool ?? '');
  if (tool === null || page === undefined) return null;
  return (
    <Link
      to={paths.tool(page.segment)}
      state={{ ...resumeFormOf(creation), earlierId: creation.id }}
      className={buttonClass('plain', 'small')}
    >
      <RefreshCw aria-hidden="true" className="size-4" />
      {repeatLabels[tool]}
    </Link>
  );
}
