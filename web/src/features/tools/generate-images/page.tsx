import type { Job } from '#libs/contract/jobs.js';
import { CopyButton } from '../../../shared/ui/copy-button';
import { ImageResultPane } from '../../../modules/image-editor/image-result-pane';
import { sameOriginUrl } from '../../../shared/lib/same-origin-url';
import { useToolRun } from '../../../modules/submission/results/use-tool-run';
import { ToolPage } from '../../../modules/submission/results/tool-page';
import { ImageForm } from './image-form';
import sample from './sample.webp';

export default function GenerateImagesPage() {
  const run = useToolRun('generate-image');
  return (
    <ToolPage
      run={run}
      lead={
        run.engine === 'offline'
          ? 'Describe an image and choose a style. This server draws shapes and colours inspired by your words, not the subject itself.'
          : 'Describe an image, choose a style, and generate it.'
      }
      jobsTitle="Recent images"
      form={<ImageForm engine={run.engine} onSubmitted={run.showJob} />}
    >
      <ImageResultPane
        run={run}
        sample={
          <img
            src={sample}
            width={720}
            height={480}
            alt="A lake at dusk with pines before distant mountains, drawn by this server"
            className="w-full rounded-control opacity-70"
          />
        }
        fileName="ai-generated-image"
      >
        {({ content, width, height }, job) => (
          <div className="grid gap-4">
            <img
              src={sameOriginUrl(content)}
              width={width}
              height={height}
              alt={job.title}
              className="h-auto w-full max-w-2xl animate-fade rounded-control bg-sunken"
            />
            <Seed job={job} />
          </div>
        )}
      </ImageResultPane>
    </ToolPage>
  );
}

/** Shows an image's seed, with which the user can generate it again. Images of AI services have no seed. */
function Seed({ job }: { job: Job }) {
  const seed = job.result?.['seed'];
  if (typeof seed !== 'number') return null;
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm text-quiet">
      <span>
        Seed <span className="font-mono text-ink">{seed}</span>
      </span>
      <CopyButton text={String(seed)} copied="Seed copied" failed="Failed to copy the seed" />
    </div>
  );
}
