import { rewriteOutputSchema } from '#libs/tools/rewrite-text/contract.js';
import { TextResultPane } from '../../../modules/submission/results/text-result-pane';
import { ToolPage } from '../../../modules/submission/results/tool-page';
import { useToolRun } from '../../../modules/submission/results/use-tool-run';
import { ChangedFacts } from '../../../modules/text-editor/rewriting/changed-facts';
import { Notice } from '../../../shared/ui/notice';
import { RewriteForm } from './rewrite-form';
import { rewrittenSample } from './sample';

export default function RewriteTextPage() {
  const run = useToolRun('rewrite-text');
  return (
    <ToolPage
      run={run}
      lead="Paste a text and choose how to change it. To rewrite part of a saved text, select it and use Rewrite."
      jobsTitle="Recent texts"
      form={<RewriteForm engine={run.engine} onSubmitted={run.showJob} />}
    >
      <TextResultPane
        run={run}
        title="Rewritten Text"
        prompt="Enter your text, then choose Rewrite Text."
        sample={rewrittenSample}
        copied="Copied to clipboard!"
        copyFailed="Failed to copy"
        after={({ job }) => <RewriteNotes result={job.result} />}
      />
    </ToolPage>
  );
}

const notesSchema = rewriteOutputSchema.pick({ changedFacts: true, notice: true });

function RewriteNotes({ result }: { result: Record<string, unknown> | null }) {
  const notes = notesSchema.safeParse(result).data;
  if (notes === undefined) return null;
  return (
    <div className="mt-10 grid max-w-[72ch] gap-4 empty:hidden">
      {notes.notice !== null && <Notice tone="note">{notes.notice}</Notice>}
      {notes.changedFacts.length > 0 && <ChangedFacts facts={notes.changedFacts} />}
    </div>
  );
}
