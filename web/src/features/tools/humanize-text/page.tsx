import { ToolHeading } from '../../../shared/tools/tool-heading';
import { JobList } from '../../../shared/results/job-list';
import { TextResultPane } from '../../../shared/results/text-result-pane';
import { useToolRun } from '../../../shared/results/use-tool-run';
import { ToolPanes } from '../../../shared/results/tool-panes';
import { HumanizeForm } from './humanize-form';
import { HumanizeNotes } from './humanize-notes';
import { humanizedSample } from './sample';

export default function HumanizeTextPage() {
  const run = useToolRun('humanize-text');
  return (
    <>
      <ToolHeading
        tool="humanize-text"
        lead="Paste a stiff text, and read it the way a person would put it, with every fact kept."
      />
      <ToolPanes
        form={<HumanizeForm onSubmitted={(job) => run.show(job.id)} />}
        jobs={<JobList title="Recent texts" run={run} />}
      >
        <TextResultPane
          run={run}
          title="Humanized Text"
          prompt="Enter your text and choose Humanize Text to read it here."
          sample={humanizedSample}
          copied="Copied to clipboard!"
          copyFailed="Failed to copy"
          after={({ job }) => <HumanizeNotes result={job.result} />}
        />
      </ToolPanes>
    </>
  );
}
