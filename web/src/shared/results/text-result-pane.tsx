import type { ReactNode } from 'react';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import type { JobView } from '../jobs/job-store';
import { CopyButton } from '../ui/copy-button';
import { ExportAction } from '../export/export-action';
import { Markdown } from '../markdown/markdown';
import { ResultActions } from '../creations/creation-actions';
import { ResultPane } from './result-pane';
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
  return (
    <ResultPane
      run={run}
      title={title}
      prompt={prompt}
      sample={<Markdown text={sample} />}
      actions={({ job, text }) => (
        <>
          <CopyButton text={text} copied={copied} failed={copyFailed} />
          <ExportAction text={text} title={job.title} />
          <ResultActions id={creationIdOf(job)} onStarted={run.showJob} />
        </>
      )}
    >
      {(view) =>
        view.text === '' ? (
          !isEnded(view.job.status) && <TextPlaceholder />
        ) : (
          <>
            {view.job.status === 'succeeded' && before?.(view)}
            <Markdown text={view.text} streaming={view.job.status === 'running'} />
            {view.job.status === 'succeeded' && after?.(view)}
          </>
        )
      }
    </ResultPane>
  );
}

function creationIdOf({ result }: Job): string | null {
  const id = result?.['creationId'];
  return typeof id === 'string' ? id : null;
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
