import { TextResultPane } from '../../../modules/submission/results/text-result-pane';
import { useToolRun } from '../../../modules/submission/results/use-tool-run';
import { ToolPage } from '../../../modules/submission/results/tool-page';
import { HumanizeForm } from './humanize-form';
import { HumanizeNotes } from './humanize-notes';
import { humanizedSample } from './sample';

export default function HumanizeTextPage() {
  const run = useToolRun('humanize-text');
  return (
    <ToolPage
      run={run}
      lead="Paste a stiff text and get it back in natural language, with every fact unchanged."
      jobsTitle="Recent texts"
      form={<HumanizeForm engine={run.engine} onSubmitted={run.showJob} />}
    >
      <TextResultPane
        run={run}
        title="Humanized Text"
        prompt="Enter your text, then choose Humanize Text."
        sample={humanizedSample}
        copied="Copied to clipboard!"
        copyFailed="Failed to copy"
        after={({ job }) => <HumanizeNotes result={job.result} title={job.title} />}
      />
    </ToolPage>
  );
}
