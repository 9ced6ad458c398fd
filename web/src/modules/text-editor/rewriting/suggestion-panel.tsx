import { useEffect, useEffectEvent, useRef, type KeyboardEvent } from 'react';
import { createPortal } from 'react-dom';
import { Check, RotateCcw, X } from 'lucide-react';
import { DOMSerializer, Fragment } from 'prosemirror-model';
import type { EditorView } from 'prosemirror-view';
import type { Job } from '#libs/contract/jobs.js';
import { isWithinMarkdownLimits } from '#libs/contract/markdown.js';
import { rewriteOutputSchema } from '#libs/tools/rewrite-text/contract.js';
import { useConnected } from '../../runs/state/runs-context';
import { canRetry, screenReaderStatus, StatusIcon, statusText } from '../../runs/jobs/job-status';
import { SubmissionProblem } from '../../runs/jobs/submission-problem';
import { Button } from '../../../shared/ui/button';
import { CopyButton } from '../../../shared/ui/copy-button';
import { Notice } from '../../../shared/ui/notice';
import { readBlocks } from '../document/read-markdown';
import { schema } from '../document/schema';
import { actionNames } from './actions';
import { ChangedFacts } from './changed-facts';
import { markChanges } from './suggestion-plugin';
import type { Rewriting } from './use-rewriting';
import { clipboardHtml } from '../export/clipboard-html';

interface SuggestionPanelProps {
  rewriting: Rewriting;
  view: EditorView;
}

/** The panel below a passage, with the suggestion and buttons to accept or reject it. */
export function SuggestionPanel({ rewriting, view }: SuggestionPanelProps) {
  const { suggestion } = rewriting;
  return (
    suggestion &&
    createPortal(
      <Panel key={suggestion.host.id} {...rewriting} suggestion={suggestion} view={view} />,
      suggestion.host,
    )
  );
}

interface PanelProps extends Rewriting {
  suggestion: NonNullable<Rewriting['suggestion']>;
  view: EditorView;
}

const FOCUS_AFTER_MS = 100;

const resultSchema = rewriteOutputSchema.pick({ changedFacts: true, notice: true });

function Panel({ suggestion, view, job: found, problem, passageState, ...actions }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const accept = useRef<HTMLButtonElement>(null);
  const connected = useConnected();
  const job = found?.job;
  const text = found?.text ?? '';
  const isDone = job?.status === 'succeeded' && !job.resultDeleted;
  const isUnchanged = isDone && text.trim() === suggestion.markdown.trim();
  const result = isDone ? resultSchema.safeParse(job.result).data : undefined;
  const { isRestored } = suggestion;
  const { label } = actionNames[suggestion.choice.action];

  useEffect(() => {
    // Wait until the menu or dialog has returned the focus to the text, then take the focus.
    const timer = setTimeout(() => {
      if (!isRestored) (accept.current ?? panel.current)?.focus({ preventScroll: true });
      panel.current?.scrollIntoView({ block: 'nearest' });
    }, FOCUS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isRestored]);
  // A change of the job's status can remove the focused button. Then focus the panel or its Accept button.
  const focusNext = useEffectEvent(() => {
    const focused = document.activeElement;
    const isFree = focused === document.body && !isRestored;
    if (!isFree && !panel.current?.contains(focused)) return;
    (isDone ? accept.current : panel.current)?.focus({ preventScroll: true });
    if (isDone) panel.current?.scrollIntoView({ block: 'nearest' });
  });
  useEffect(() => focusNext(), [job?.status, problem]);

  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    actions.reject();
  };
  return (
    // The panel handles keys that bubble up from its buttons.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={panel}
      role="group"
      aria-label={`Suggestion for ${suggestion.passage.name}: ${label}`}
      tabIndex={-1}
      onKeyDown={onKey}
      className="my-4 max-w-[72ch] scroll-mt-52 scroll-mb-24 rounded-control border border-edge bg-sunken p-4 font-sans text-base outline-none focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-live"
    >
      <p className="flex flex-wrap items-center gap-x-2 text-sm font-semibold">
        {job && <StatusIcon job={job} />}
        {label}
        <span className="font-normal text-quiet">{stateText(job, isUnchanged, problem)}</span>
      </p>
      <p role="status" className="sr-only">
        {isDone ? 'The suggestion is ready.' : job && screenReaderStatus(job)}
      </p>
      {text !== '' && !isUnchanged && job?.status !== 'failed' && (
        <SuggestedText text={text} isDone={isDone} view={view} />
      )}
      <div className="mt-3 grid gap-3 empty:hidden">
        {!connected && job?.status === 'running' && (
          <Notice tone="note">You are offline. The suggestion continues when you are back online.</Notice>
        )}
        {problem !== null && (
          <SubmissionProblem error={problem} onRetry={job ? actions.retry : actions.suggestAgain} />
        )}
        {job?.status === 'failed' && problem === null && (
          <Notice tone="danger" title="Nothing was changed">
            {job.error?.message ?? 'Something went wrong on our side. You were not charged.'}
          </Notice>
        )}
        {job?.status === 'cancelled' && (
          <Notice tone="note">Stopped. You were not charged, and your text is unchanged.</Notice>
        )}
        {result?.notice != null && <Notice tone="note">{result.notice}</Notice>}
        {result && result.changedFacts.length > 0 && <ChangedFacts facts={result.changedFacts} />}
        {passageState !== 'same' && <StaleNotice isDeleted={passageState === 'deleted'} />}
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        {isDone && !isUnchanged && passageState !== 'deleted' && (
          <Button ref={accept} variant="primary" size="small" onClick={actions.accept}>
            <Check aria-hidden="true" className="size-4" />
            {passageState === 'changed' ? 'Replace anyway' : 'Accept'}
          </Button>
        )}
        {isDone && passageState === 'deleted' && (
          <CopyButton toHtml={clipboardHtml} text={text} copied="Suggestion copied" failed="Failed to copy" />
        )}
        <Button size="small" onClick={actions.reject}>
          <X aria-hidden="true" className="size-4" />
          {isDone && !isUnchanged ? 'Reject' : job && !isEndedJob(job) ? 'Stop' : 'Close'}
        </Button>
        {isDone && passageState !== 'deleted' && (
          <Button variant="quiet" size="small" onClick={actions.suggestAgain}>
            <RotateCcw aria-hidden="true" className="size-4" />
            Try again
          </Button>
        )}
        {job && canRetry(job) && problem === null && (
          <Button variant="quiet" size="small" onClick={actions.retry}>
            <RotateCcw aria-hidden="true" className="size-4" />
            Retry
          </Button>
        )}
      </div>
    </div>
  );
}

const isEndedJob = ({ status }: Job) => status !== 'queued' && status !== 'running';

function stateText(job: Job | undefined, isUnchanged: boolean, problem: Error | null): string {
  if (job === undefined) return problem === null ? 'Sending…' : 'Not sent';
  if (isUnchanged) return 'No changes suggested.';
  return job.status === 'succeeded' ? 'Suggested' : statusText(job);
}

/** The suggested text. When the text is complete, added words are marked. */
function SuggestedText({ text, isDone, view }: { text: string; isDone: boolean; view: EditorView }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return;
    const blocks = isWithinMarkdownLimits(text)
      ? readBlocks(text)
      : [schema.nodes.paragraph.create(null, schema.text(text))];
    place.current.replaceChildren(serializer.serializeFragment(Fragment.fromArray(blocks)));
    if (isDone) markChanges(view, place.current);
  }, [text, isDone, view]);
  return (
    <div className="prose mt-3" data-streaming={!isDone}>
      <div ref={place} dir="auto" />
    </div>
  );
}

const serializer = DOMSerializer.fromSchema(schema);

function StaleNotice({ isDeleted }: { isDeleted: boolean }) {
  return (
    <Notice tone="warning" title={isDeleted ? 'The passage was deleted' : 'The passage was changed'}>
      {isDeleted
        ? 'It is no longer in the text. You can copy the suggestion.'
        : 'This suggestion is for the earlier wording. “Try again” creates one for the current wording.'}
    </Notice>
  );
}
