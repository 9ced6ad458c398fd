import { ToolHeading } from '../../../shared/tools/tool-heading';
import { JobList } from '../../../shared/results/job-list';
import { TextResultPane } from '../../../shared/results/text-result-pane';
import { useToolRun } from '../../../shared/results/use-tool-run';
import { ToolPanes } from '../../../shared/results/tool-panes';
import { titlesSample } from './sample';
import { TitlesForm } from './titles-form';

export default function BlogTitlesPage() {
  const run = useToolRun('generate-blog-title');
  return (
    <>
      <ToolHeading
        tool="generate-blog-title"
        lead="Give a keyword and a category, and choose from at least ten titles."
      />
      <ToolPanes
        form={<TitlesForm onSubmitted={(job) => run.show(job.id)} />}
        jobs={<JobList title="Recent titles" run={run} />}
      >
        <TextResultPane
          run={run}
          sample={titlesSample}
          copied="Titles copied to clipboard!"
          copyFailed="Failed to copy titles"
        />
      </ToolPanes>
    </>
  );
}
