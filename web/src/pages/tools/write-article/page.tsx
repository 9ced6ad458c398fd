import { useRef } from 'react';
import toast from 'react-hot-toast';
import { tools } from '#libs/tools/catalogue.js';
import { useAccount } from '../../../api/read-account';
import { useConfig } from '../../../api/read-config';
import { useCancelJob } from '../../../api/cancel-job';
import { useRetryJob } from '../../../api/retry-job';
import { PageHeading } from '../../../components/page-heading';
import { ToolPanes } from '../../../components/tool-panes';
import { JobList } from '../../../components/proof/job-list';
import { Proof } from '../../../components/proof/proof';
import { useSelectedJob } from '../../../components/proof/use-selected-job';
import { ArticleForm } from './article-form';
import { articleSample, outlineSample } from './sample';

const TOOL = 'generate-article';
const RECENT = 6;

export default function WriteArticlePage() {
  const proof = useRef<HTMLElement>(null);
  const { id, view, jobs, select } = useSelectedJob(TOOL);
  const engine = useConfig().data?.engine;
  const account = useAccount().data;
  const cancel = useCancelJob();
  const retry = useRetryJob();

  const show = (jobId: string) => {
    select(jobId);
    // Side by side on a wide screen; on a narrow one the proof is below the form.
    if (window.matchMedia('(width < 64rem)').matches) {
      const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      proof.current?.scrollIntoView({ block: 'start', behavior: still ? 'auto' : 'smooth' });
    }
  };

  return (
    <>
      <PageHeading lead="Name a topic, choose a length, and watch it being written.">
        Write Article
      </PageHeading>
      <ToolPanes
        form={<ArticleForm onSubmitted={(job) => show(job.id)} />}
        jobs={
          <JobList title="Recent articles" jobs={jobs.slice(0, RECENT)} selectedId={id} onSelect={show} />
        }
      >
        <Proof
          ref={proof}
          view={view}
          loading={id !== null}
          engine={engine}
          sample={engine === 'offline' ? outlineSample : articleSample}
          cost={account?.plan === 'premium' ? 'Unlimited on Premium' : `Costs ${tools[TOOL].credits} credit`}
          copied="Article copied to clipboard!"
          copyFailed="Failed to copy article"
          onCancel={() =>
            id !== null && cancel.mutate(id, { onError: (error) => toast.error(error.message) })
          }
          cancelling={cancel.isPending && cancel.variables === id}
          onRetry={() =>
            id !== null &&
            retry.mutate(id, {
              onSuccess: (job) => show(job.id),
              onError: (error) => toast.error(error.message),
            })
          }
          retrying={retry.isPending && retry.variables === id}
        />
      </ToolPanes>
    </>
  );
}
