import type { ReactNode } from 'react';
import type { Job } from '#libs/contract/jobs.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { useToolRun } from '../results/use-tool-run';
import { ToolPage } from '../results/tool-page';
import { BeforeAfter } from './before-after';
import { EditedImage } from './edited-image';
import { ImageResultPane } from './image-result-pane';
import { useOriginalImage } from './use-original-image';

export interface EditorFormProps {
  onSubmitted: (job: Job, image: File) => void;
  onCleared: () => void;
}

interface ImageEditorPageProps {
  tool: ToolName;
  lead: string;
  /** Whether the form is as wide as the result. */
  even?: boolean;
  form: (props: EditorFormProps) => ReactNode;
  /** Two images of 720 by 540 pixels. */
  sample: { before: string; after: string; alt: string };
  /** The start of the downloaded file's name. */
  fileName: string;
}

export function ImageEditorPage({ tool, lead, even, form, sample, fileName }: ImageEditorPageProps) {
  const run = useToolRun(tool);
  const original = useOriginalImage(tool, run.id);
  return (
    <ToolPage
      run={run}
      lead={lead}
      even={even}
      jobsTitle="Recent images"
      form={form({
        onSubmitted: (job, image) => {
          original.store(job.id, image);
          run.showJob(job);
        },
        onCleared: () => run.show(null),
      })}
    >
      <ImageResultPane
        run={run}
        sample={<BeforeAfter {...sample} width={720} height={540} />}
        fileName={fileName}
        extension="png"
      >
        {(result, job) => <EditedImage result={result} job={job} before={original.url} />}
      </ImageResultPane>
    </ToolPage>
  );
}
