import type { ReactNode } from 'react';
import type { Job } from '#libs/contract/jobs.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { RecentBatches } from '../runs/lists/recent-runs';
import { sameOriginUrl } from '../../shared/lib/same-origin-url';
import { useToolRun } from '../submission/results/use-tool-run';
import { ToolPage } from '../submission/results/tool-page';
import { BeforeAfter } from './before-after';
import { ImageResultPane, type ImageResult } from './image-result-pane';
import { WarningMarks, WarningNotices } from './image-warnings';
import { useOriginalImage } from '../submission/files/use-original-image';

export interface EditorFormProps {
  onSubmitted: (job: Job, image: File, request: SentRequest) => void;
  onCleared: () => void;
}

interface SentRequest {
  input: Readonly<Record<string, unknown>>;
  files?: { readonly mask?: Blob };
}

interface ImageEditorPageProps {
  tool: ToolName;
  lead: string;
  /** True if form and result have the same width. */
  even?: boolean;
  form: (props: EditorFormProps) => ReactNode;
  /** Example images before a first result; both have 720 × 540 pixels. */
  sample: { before: string; after: string; alt: string };
  /** Prefix of the names of downloaded files. */
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
      form={
        <div className="grid gap-10">
          {form({
            onSubmitted: (job, image, { input, files }) => {
              original.store({ tool, jobId: job.id, image, input, mask: files?.mask ?? null });
              run.showJob(job);
            },
            onCleared: () => run.show(null),
          })}
          <RecentBatches tool={tool} title="Batches" />
        </div>
      }
    >
      <ImageResultPane
        run={run}
        sample={<BeforeAfter {...sample} width={720} height={540} />}
        fileName={fileName}
      >
        {(result, job) => <EditedImage result={result} job={job} before={original.url} />}
      </ImageResultPane>
    </ToolPage>
  );
}

interface EditedImageProps {
  result: ImageResult;
  job: Job;
  /** URL of the original; null if this browser doesn't store it any more. */
  before: string | null;
}

function EditedImage({ result: { content, width, height, warnings = [] }, job, before }: EditedImageProps) {
  const after = sameOriginUrl(content);
  // A version that the user made needs no check any more.
  const doubts = job.result?.content === content ? warnings : [];
  // A version of another size is cropped and doesn't align with the original, so it can't be compared.
  const isCropped = job.result?.width !== width || job.result.height !== height;
  const marks = <WarningMarks warnings={doubts} />;
  return (
    <div className="grid gap-4">
      <WarningNotices warnings={doubts} />
      {before !== null && !isCropped ? (
        <BeforeAfter before={before} after={after} alt={job.title} width={width} height={height}>
          {marks}
        </BeforeAfter>
      ) : (
        <div className="relative w-full max-w-2xl">
          <img
            src={after}
            width={width}
            height={height}
            alt={job.title}
            className="checker h-auto w-full animate-fade rounded-control"
          />
          {marks}
        </div>
      )}
    </div>
  );
}
