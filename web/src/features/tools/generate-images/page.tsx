import { ImageResultPane } from '../../../shared/images/image-result-pane';
import { sameOriginUrl } from '../../../shared/lib/same-origin-url';
import { ToolHeading } from '../../../shared/tools/tool-heading';
import { JobList } from '../../../shared/results/job-list';
import { useToolRun } from '../../../shared/results/use-tool-run';
import { ToolPanes } from '../../../shared/results/tool-panes';
import { ImageForm } from './image-form';
import sample from './sample.webp';

export default function GenerateImagesPage() {
  const run = useToolRun('generate-image');
  return (
    <>
      <ToolHeading tool="generate-image" lead="Describe a picture, choose a style, and see it made." />
      <ToolPanes
        form={<ImageForm onSubmitted={(job) => run.show(job.id)} />}
        jobs={<JobList title="Recent images" run={run} />}
      >
        <ImageResultPane
          run={run}
          sample={
            <img
              src={sample}
              width={720}
              height={480}
              alt="A lake at dusk with pines before distant mountains, drawn by the offline engine"
              className="w-full rounded-control opacity-70"
            />
          }
          fileName="ai-generated-image"
          extension="jpg"
        >
          {({ content, width, height }, job) => (
            <img
              src={sameOriginUrl(content)}
              width={width}
              height={height}
              alt={job.title}
              className="h-auto w-full max-w-2xl animate-fade rounded-control bg-sunken"
            />
          )}
        </ImageResultPane>
      </ToolPanes>
    </>
  );
}
