import type { ReactNode } from 'react';
import { z } from 'zod';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import { imageSchema } from '#libs/contract/image-result.js';
import { Notice } from '../ui/notice';
import { ResultPane } from '../results/result-pane';
import type { ToolRun } from '../results/use-tool-run';
import { CornerMarks } from '../ui/corner-marks';
import { useCreation } from '../api/creation-pages';
import { ResultActions } from '../creations/creation-actions';
import { DownloadButton } from './download-button';
import { ImageGroup } from './image-group';
import { useJobPreview } from './use-job-preview';
import { PublishActions } from './publish-actions';

/** The fields that the results of all image tools have. */
const imageResultSchema = imageSchema
  .pick({ content: true, width: true, height: true, notice: true })
  .extend({ creationId: z.string().optional() });
export type ImageResult = z.infer<typeof imageResultSchema>;

interface ImageResultPaneProps {
  run: ToolRun;
  sample: ReactNode;
  /** The start of the downloaded file's name. */
  fileName: string;
  extension: 'jpg' | 'png';
  children: (result: ImageResult, job: Job) => ReactNode;
}

export function ImageResultPane({ run, sample, fileName, extension, children }: ImageResultPaneProps) {
  return (
    <ResultPane
      run={run}
      sample={sample}
      actions={({ job }) => {
        const result = resultOf(job);
        return (
          result && (
            <>
              <DownloadButton url={result.content} name={fileName} extension={extension} />
              <Publishing id={result.creationId ?? null} />
              <ResultActions id={result.creationId ?? null} onStarted={run.showJob} />
            </>
          )
        );
      }}
    >
      {({ job }) => {
        const result = resultOf(job);
        if (result === null)
          return (
            <div className="grid gap-6">
              <ImageGroup run={run} job={job} />
              {!isEnded(job.status) && <UnfinishedImage key={job.id} job={job} />}
            </div>
          );
        return (
          <div className="grid gap-6">
            <ImageGroup run={run} job={job} />
            {result.notice !== null && <Notice tone="note">{result.notice}</Notice>}
            {children(result, job)}
          </div>
        );
      }}
    </ResultPane>
  );
}

/** Nothing if the creation was deleted. */
function Publishing({ id }: { id: string | null }) {
  const creation = useCreation(id).data;
  return creation === undefined ? null : <PublishActions creation={creation} />;
}

const resultOf = (job: Job): ImageResult | null =>
  job.status === 'succeeded' ? (imageResultSchema.safeParse(job.result).data ?? null) : null;

/** The newest preview, or the place where it will be. */
function UnfinishedImage({ job }: { job: Job }) {
  const url = useJobPreview(job);
  if (url !== null)
    return (
      <figure className="max-w-2xl animate-fade">
        <img src={url} alt={`${job.title}, not finished`} className="checker h-auto w-full rounded-control" />
        <figcaption className="mt-2 text-sm text-quiet">A preview. The picture is not finished.</figcaption>
      </figure>
    );
  return (
    <div className="relative aspect-4/3 w-full max-w-xl rounded-control border border-line bg-sunken">
      <CornerMarks />
    </div>
  );
}
