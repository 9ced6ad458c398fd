import { FileNotice } from '../../../modules/submission/results/file-notice';
import { TextResultPane } from '../../../modules/submission/results/text-result-pane';
import { useToolRun } from '../../../modules/submission/results/use-tool-run';
import { ToolPage } from '../../../modules/submission/results/tool-page';
import { titlesSample } from './sample';
import { TitlesForm } from './titles-form';

export default function BlogTitlesPage() {
  const run = useToolRun('generate-blog-title');
  return (
    <ToolPage
      run={run}
      lead="Enter a keyword, pick a category, and get at least ten titles."
      jobsTitle="Recent titles"
      form={<TitlesForm engine={run.engine} onSubmitted={run.showJob} />}
    >
      <TextResultPane
        run={run}
        sample={titlesSample}
        copied="Titles copied to clipboard!"
        copyFailed="Failed to copy titles"
        before={({ job }) => <FileNotice job={job} />}
      />
    </ToolPage>
  );
}
