import { ToolHeading } from '../../../shared/tools/tool-heading';
import { ToolPanes } from '../../../shared/results/tool-panes';
import { JobList } from '../../../shared/results/job-list';
import { TextResultPane } from '../../../shared/results/text-result-pane';
import { useToolRun } from '../../../shared/results/use-tool-run';
import { ArticleForm } from './article-form';
import { articleSample, outlineSample } from './sample';

export default function WriteArticlePage() {
  const run = useToolRun('generate-article');
  return (
    <>
      <ToolHeading
        tool="generate-article"
        lead="Name a topic, choose a length, and watch it being written."
      />
      <ToolPanes
        form={<ArticleForm onSubmitted={(job) => run.show(job.id)} />}
        jobs={<JobList title="Recent articles" run={run} />}
      >
        <TextResultPane
          run={run}
          sample={run.engine === 'offline' ? outlineSample : articleSample}
          copied="Article copied to clipboard!"
          copyFailed="Failed to copy article"
        />
      </ToolPanes>
    </>
  );
}
