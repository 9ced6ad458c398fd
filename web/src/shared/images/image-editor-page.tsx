import type { ReactNode } from 'react';
import type { Job } from '#libs/contract/jobs.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { PageHeading } from '../ui/page-heading';
import { PremiumBadge } from '../ui/premium-badge';
import { JobList } from '../results/job-list';
import { useToolRun } from '../results/use-tool-run';
import { ToolPanes } from '../results/tool-panes';
import { BeforeAfter } from './before-after';
import { EditedImage } from './edited-image';
import { ImageProof } from './image-proof';
import { useBefore } from './use-before';

/** What the form of such a page tells. */
export interface EditorFormProps {
  onSubmitted: (job: Job, image: File) => void;
  /** Called when the image was removed. */
  onCleared: () => void;
}

interface ImageEditorPageProps {
  tool: ToolName;
  title: string;
  lead: string;
  /** Whether the form is worked in, and as wide as the proof. */
  even?: boolean;
  form: (props: EditorFormProps) => ReactNode;
  /** Two pictures of 720 by 540 pixels. */
  sample: { before: string; after: string; alt: string };
  /** The downloaded file's name, without time and extension. */
  fileName: string;
}

/** The page of a tool that changes an image: its form, and the result laid over what was sent. */
export function ImageEditorPage({ tool, title, lead, even, form, sample, fileName }: ImageEditorPageProps) {
  const run = useToolRun(tool);
  const before = useBefore(tool, run.id);
  return (
    <>
      <PageHeading badge={<PremiumBadge />} lead={lead}>
        {title}
      </PageHeading>
      <ToolPanes
        even={even}
        form={form({
          onSubmitted: (job, image) => {
            before.keep(job.id, image);
            run.show(job.id);
          },
          onCleared: () => run.show(null),
        })}
        jobs={<JobList title="Recent images" run={run} />}
      >
        <ImageProof
          run={run}
          sample={<BeforeAfter {...sample} width={720} height={540} />}
          fileName={fileName}
          extension="png"
        >
          {(result, job) => <EditedImage result={result} job={job} before={before.url} />}
        </ImageProof>
      </ToolPanes>
    </>
  );
}
