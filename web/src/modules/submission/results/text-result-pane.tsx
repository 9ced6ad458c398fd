import type { ReactNode } from 'react';
import { isEnded } from '#libs/contract/jobs.js';
import { withoutSources } from '#libs/contract/markdown.js';
import type { JobView } from '../../runs/state/job-store';
import { CopyButton } from '../../../shared/ui/copy-button';
import { ExportAction } from '../../text-editor/export/export-action';
import { Markdown } from '../../../shared/markdown/markdown';
import { ResultActions } from '../../creations/creation-actions';
import { useCreation } from '../../creations/api/creation-pages';
import { EditableText, EditButton } from '../../text-editor/editable-text';
import { useTextEditing } from '../../text-editor/use-text-editing';
import { RunBesideEarlier } from './run-beside-earlier';
import { creationIdOf, ResultPane } from './result-pane';
import type { ToolRun } from './use-tool-run';

interface TextResultPaneProps {
  run: ToolRun;
  title?: string;
  prompt?: string;
  /** Markdown. */
  sample: string;
  /** The toasts of Copy. */
  copied: string;
  copyFailed: string;
  /** Shown above a finished text. */
  before?: (view: JobView) => ReactNode;
  /** Shown below a finished text. */
  after?: (view: JobView) => ReactNode;
}

export function TextResultPane({
  run,
  title,
  prompt,
  sample,
  copied,
  copyFailed,
  before,
  after,
}: TextResultPaneProps) {
  const job = run.view?.job;
  const creation = useCreation(job?.status === 'succeeded' ? creationIdOf(job) : null).data;
  const editing = useTextEditing(creation);
  return (
    <ResultPane
      run={run}
      pinned={editing.editor === null}
      title={title}
      prompt={prompt}
      sample={<Markdown text={sample} fallback={null} />}
      actions={({ job, text }) => (
        <>
          <EditButton editing={editing} />
          <CopyButton text={withoutSources(editing.text ?? text)} copied={copied} failed={copyFailed} />
          <ExportAction text={withoutSources(editing.text ?? text)} title={job.title} />
          <ResultActions id={creationIdOf(job)} onStarted={run.showAnother} />
        </>
      )}
    >
      {(view) => (
        <>
          {view.job.status === 'succeeded' && before?.(view)}
          <RunBesideEarlier run={run} made={creation}>
            {view.text === '' ? (
              !isEnded(view.job.status) && <TextPlaceholder />
            ) : view.job.status === 'succeeded' ? (
              <EditableText editing={editing} text={editing.text ?? view.text} />
            ) : (
              <Markdown text={view.text} streaming={view.job.status === 'running'} />
            )}
          </RunBesideEarlier>
          {view.job.status === 'succeeded' && after?.(view)}
        </>
      )}
    </ResultPane>
  );
}

function TextPlaceholder() {
  return (
    <div aria-hidden="true" className="grid max-w-[72ch] gap-4 pt-2">
      {['w-2/3', 'w-full', 'w-11/12', 'w-full', 'w-1/2'].map((width, line) => (
        <i key={line} className={`block h-px bg-line ${width}`} />
      ))}
    </div>
  );
}
