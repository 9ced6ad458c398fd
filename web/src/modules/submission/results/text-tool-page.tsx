import type { ReactNode } from 'react';
import { withoutSources } from '#libs/contract/markdown.js';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import type { JobView } from '../../runs/state/job-store';
import { CopyButton } from '../../../shared/ui/copy-button';
import { ExportAction } from '../../text-editor/export/export-action';
import { Markdown } from '../../../shared/markdown/markdown';
import { ResultActions } from '../../creations/creation-actions';
import { useCreation } from '../../creations/api/creation-pages';
import { EditableText, EditButton } from '../../text-editor/editable-text';
import { useTextEditing } from '../../text-editor/use-text-editing';
import { FileNotice } from './file-notice';
import { RunComparison } from './run-comparison';
import { creationIdOf, ResultPane } from './result-pane';
import { ToolPage } from './tool-page';
import { useToolRun, type ToolRun } from './use-tool-run';
import { clipboardHtml } from '../../text-editor/export/clipboard-html';

interface TextToolPageProps {
  tool: ToolName;
  lead: string;
  jobsTitle: string;
  form: (run: ToolRun) => ReactNode;
  /** Sample results in Markdown: `sample` from an AI service, `offlineSample` from the server's own rules, if different. */
  sample: string;
  offlineSample?: string;
  title?: string;
  /** Text of the empty pane. */
  prompt?: string;
  /** Toasts after Copy. */
  copied?: string;
  copyFailed?: string;
  /** Renders notes below a result. Without it, the page shows the result's file notice above the result. */
  notes?: (job: Job) => ReactNode;
  /** Renders what can be done with a result, below it. `text` is the edited text, if there is one. */
  below?: (view: JobView) => ReactNode;
}

/** Page of a tool whose result is an editable text. */
export function TextToolPage(props: TextToolPageProps) {
  const { tool, lead, jobsTitle, form, sample, offlineSample = sample, title, prompt, notes, below } = props;
  const { copied = 'Copied to clipboard!', copyFailed = 'Failed to copy' } = props;
  const run = useToolRun(tool);
  const job = run.view?.job;
  const creation = useCreation(job?.status === 'succeeded' ? creationIdOf(job) : null).data;
  const editing = useTextEditing(creation);
  return (
    <ToolPage run={run} lead={lead} jobsTitle={jobsTitle} form={form(run)}>
      <ResultPane
        run={run}
        pinned={editing.editor === null}
        title={title}
        prompt={prompt}
        sample={<Markdown text={run.engine === 'offline' ? offlineSample : sample} fallback={null} />}
        actions={({ job, text }) => (
          <>
            <EditButton editing={editing} />
            <CopyButton
              toHtml={clipboardHtml}
              text={withoutSources(editing.text ?? text)}
              copied={copied}
              failed={copyFailed}
            />
            <ExportAction text={withoutSources(editing.text ?? text)} title={creation?.name ?? job.title} />
            <ResultActions id={creationIdOf(job)} onStarted={run.showAnother} />
          </>
        )}
      >
        {({ job, text }) => (
          <>
            {job.status === 'succeeded' && notes === undefined && <FileNotice job={job} />}
            <RunComparison run={run} newResult={creation}>
              {text === '' ? (
                !isEnded(job.status) && <TextPlaceholder />
              ) : job.status === 'succeeded' ? (
                <EditableText editing={editing} text={editing.text ?? text} />
              ) : (
                <Markdown text={text} streaming={job.status === 'running'} />
              )}
            </RunComparison>
            {job.status === 'succeeded' && notes?.(job)}
            {job.status === 'succeeded' && below?.({ job, text: editing.text ?? text })}
          </>
        )}
      </ResultPane>
    </ToolPage>
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
