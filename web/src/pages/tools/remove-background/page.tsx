import { BeforeAfter } from '../../../components/images/before-after';
import { EditedImage } from '../../../components/images/edited-image';
import { ImageProof } from '../../../components/images/image-proof';
import { useBefore } from '../../../components/images/use-before';
import { PageHeading } from '../../../components/page-heading';
import { PremiumBadge } from '../../../components/premium-badge';
import { JobList } from '../../../components/proof/job-list';
import { useToolRun } from '../../../components/proof/use-tool-run';
import { ToolPanes } from '../../../components/tool-panes';
import sampleAfter from './after.webp';
import { BackgroundForm } from './background-form';
import sampleBefore from './before.webp';

const TOOL = 'remove-image-background';

export default function RemoveBackgroundPage() {
  const run = useToolRun(TOOL);
  const before = useBefore(TOOL, run.id);
  return (
    <>
      <PageHeading badge={<PremiumBadge />} lead="Cut the subject of a photo out of its background.">
        Remove Background
      </PageHeading>
      <ToolPanes
        form={
          <BackgroundForm
            onSubmitted={(job, image) => {
              before.keep(job.id, image);
              run.show(job.id);
            }}
            onCleared={() => run.show(null)}
          />
        }
        jobs={<JobList title="Recent images" run={run} />}
      >
        <ImageProof
          run={run}
          sample={
            <BeforeAfter
              before={sampleBefore}
              after={sampleAfter}
              alt="A yellow flower, cut out of the dark leaves behind it"
              width={720}
              height={540}
            />
          }
          fileName="background-removed"
          extension="png"
        >
          {(result, job) => <EditedImage result={result} job={job} before={before.url} />}
        </ImageProof>
      </ToolPanes>
    </>
  );
}
