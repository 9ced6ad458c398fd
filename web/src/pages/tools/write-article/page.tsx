import { PageHeading } from '../../../components/page-heading';
import { ToolPanes } from '../../../components/tool-panes';
import { JobList } from '../../../components/proof/job-list';
import { TextProof } from '../../../components/proof/text-proof';
import { useToolRun } from '../../../components/proof/use-tool-run';
import { ArticleForm } from './article-form';
import { articleSample, outlineSample } from './sample';

export default function WriteArticlePage() {
  const run = useToolRun('generate-article');
  return (
    <>
      <PageHeading lead="Name a topic, choose a length, and watch it being written.">
        Write Article
      </PageHeading>
      <ToolPanes
        form={<ArticleForm onSubmitted={(job) => run.show(job.id)} />}
        jobs={<JobList title="Recent articles" run={run} />}
      >
        <TextProof
          run={run}
          sample={run.engine === 'offline' ? outlineSample : articleSample}
          copied="Article copied to clipboard!"
          copyFailed="Failed to copy article"
        />
      </ToolPanes>
    </>
  );
}
