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
import { ObjectForm } from './object-form';
import sampleBefore from './before.webp';

const TOOL = 'remove-image-object';

export default function RemoveObjectPage() {
  const run = useToolRun(TOOL);
  const before = useBefore(TOOL, run.id);
  return (
    <>
      <PageHeading
        badge={<PremiumBadge />}
        lead="Name a thing in a photo or paint over it, and have it taken out."
      >
        Remove Object
      </PageHeading>
      <ToolPanes
        even
        form={
          <ObjectForm
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
              alt="A clear sky, from which a bird was taken out"
              width={720}
              height={540}
            />
          }
          fileName="object-removed"
          extension="png"
        >
          {(result, job) => <EditedImage result={result} job={job} before={before.url} />}
        </ImageProof>
      </ToolPanes>
    </>
  );
}
