import { FileNotice } from '../../../modules/submission/results/file-notice';
import { ToolPage } from '../../../modules/submission/results/tool-page';
import { TextResultPane } from '../../../modules/submission/results/text-result-pane';
import { useToolRun } from '../../../modules/submission/results/use-tool-run';
import { ArticleForm } from './article-form';
import { articleSample, outlineSample } from './sample';

export default function WriteArticlePage() {
  const run = useToolRun('generate-article');
  return (
    <ToolPage
      run={run}
      lead="Enter a topic, choose a length, and watch the article being written."
      jobsTitle="Recent articles"
      form={<ArticleForm engine={run.engine} onSubmitted={run.showJob} />}
    >
      <TextResultPane
        run={run}
        sample={run.engine === 'offline' ? outlineSample : articleSample}
        copied="Article copied to clipboard!"
        copyFailed="Failed to copy article"
        before={({ job }) => <FileNotice job={job} />}
      />
    </ToolPage>
  );
}
