import { rewriteOutputSchema } from '#libs/tools/rewrite-text/contract.js';
import { TextToolPage } from '../../../modules/submission/results/text-tool-page';
import { ChangedFacts } from '../../../modules/text-editor/rewriting/changed-facts';
import { Notice } from '../../../shared/ui/notice';
import { RewriteForm } from './rewrite-form';
import rewrittenSample from './sample.md?raw';

export default function RewriteTextPage() {
  return (
    <TextToolPage
      tool="rewrite-text"
      lead="Paste a text and choose how to change it. To rewrite part of a saved text, select it and use Rewrite."
      jobsTitle="Recent texts"
      form={({ engine, showJob }) => <RewriteForm engine={engine} onSubmitted={showJob} />}
      title="Rewritten Text"
      prompt="Enter your text, then choose Rewrite Text."
      sample={rewrittenSample}
      notes={({ result }) => <RewriteNotes result={result} />}
    />
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
