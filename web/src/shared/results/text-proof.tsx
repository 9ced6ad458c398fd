import type { ReactNode } from 'react';
import { isEnded } from '#libs/contract/jobs.js';
import type { JobView } from '../jobs/job-store';
import { CopyButton } from '../ui/copy-button';
import { ExportAction } from '../export/export-action';
import { Markdown } from '../markdown/markdown';
import { Proof } from './proof';
import type { ToolRun } from './use-tool-run';

interface TextProofProps {
  run: ToolRun;
  title?: string;
  prompt?: string;
  /** What the tool gives, for the empty sheet, in Markdown. */
  sample: string;
  /** The specification's words for each tool. */
  copied: string;
  copyFailed: string;
  /** What goes with a finished text, below it. */
  after?: (view: JobView) => ReactNode;
}

/** The proof of a tool that writes: the text as it is set, and Copy when it is done. */
export function TextProof({ run, title, prompt, sample, copied, copyFailed, after }: TextProofProps) {
  return (
    <Proof
      run={run}
      title={title}
      prompt={prompt}
      sample={<Markdown text={sample} />}
      actions={({ job, text }) => (
        <>
          <CopyButton text={text} copied={copied} failed={copyFailed} />
          <ExportAction text={text} title={job.title} />
        </>
      )}
    >
      {(view) =>
        view.text === '' ? (
          !isEnded(view.job.status) && <EmptyLines />
        ) : (
          <>
            <Markdown text={view.text} streaming={view.job.status === 'running'} />
            {view.job.status === 'succeeded' && after?.(view)}
          </>
        )
      }
    </Proof>
  );
}

/** Where the text will be set. */
function EmptyLines() {
  return (
    <div aria-hidden="true" className="grid max-w-[72ch] gap-4 pt-2">
      {['w-2/3', 'w-full', 'w-11/12', 'w-full', 'w-1/2'].map((width, line) => (
        <i key={line} className={`block h-px bg-line ${width}`} />
      ))}
    </div>
  );
}
