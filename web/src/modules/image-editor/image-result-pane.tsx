import type { ReactNode } from 'react';
import { z } from 'zod';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import { editedImageSchema } from '#libs/contract/images.js';
import { Notice } from '../../shared/ui/notice';
import { ResultPane } from '../submission/results/result-pane';
import type { ToolRun } from '../submission/results/use-tool-run';
import { CornerMarks } from '../../shared/ui/corner-marks';
import { useCreation } from '../creations/api/creation-pages';
import { ResultActions } from '../creations/creation-actions';
import { EditCutOut } from './cut-out/edit-cut-out';
import { DownloadButton } from './download-button';
import { ImageGroup } from './image-group';
import { ImageVersions } from './image-versions';
import { useJobPreview } from './use-job-preview';
import { ModerationNotice } from './moderation-notice';
import { PublishActions } from './publish-actions';
import { useVersions } from '../creations/versions/versions';

/** The fields that all image tools have in their results. */
const imageResultSchema = editedImageSchema
  .pick({ content: true, width: true, height: true, notice: true, warnings: true })
  .extend({ creationId: z.string().optional() });
export type ImageResult = z.infer<typeof imageResultSchema>;

interface ImageResultPaneProps {
  run: ToolRun;
  sample: ReactNode;
  /** Prefix of the names of downloaded files. */
  fileName: string;
  children: (result: ImageResult, job: Job) => ReactNode;
}

export function ImageResultPane({ run, sample, fileName, children }: ImageResultPaneProps) {
  return (
    <ResultPane
      run={run}
      sample={sample}
      actions={({ job }) => {
        const result = resultOf(job);
        return (
          result && (
            <>
              <Download result={result} name={fileName} />
              <Publishing id={result.creationId ?? null} />
              <ResultActions id={result.creationId ?? null} onStarted={run.showAnother} />
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
            <CurrentResult result={result}>{(current) => children(current, job)}</CurrentResult>
            {result.creationId !== undefined && (
              <ImageVersions key={result.creationId} creationId={result.creationId} fileName={fileName} />
            )}
          </div>
        );
      }}
    </ResultPane>
  );
}

/** Replaces the job's image by the current version of its creation, if the creation has versions. */
function useCurrentResult(result: ImageResult): ImageResult {
  const version = useVersions(result.creationId ?? null).data?.find(({ current }) => current);
  if (version === undefined) return result;
  const { content, width, height } = version;
  return { ...result, content: content!, width: width ?? result.width, height: height ?? result.height };
}

function CurrentResult({
  result,
  children,
}: {
  result: ImageResult;
  children: (result: ImageResult) => ReactNode;
}) {
  return children(useCurrentResult(result));
}

function Download({ result, name }: { result: ImageResult; name: string }) {
  const { data: creation, isLoading } = useCreation(result.creationId ?? null);
  return (
    <DownloadButton
      url={useCurrentResult(result).content}
      creation={creation}
      loading={isLoading}
      fallback={name}
    />
  );
}

function Publishing({ id }: { id: string | null }) {
  const creation = useCreation(id).data;
  if (creation === undefined) return null;
  return (
    <>
      <EditCutOut creation={creation} />
      <PublishActions creation={creation} />
      {creation.moderation && (
        <div className="basis-full">
          <ModerationNotice creation={creation} />
        </div>
      )}
    </>
  );
}

const resultOf = (job: Job): ImageResult | null =>
  job.status === 'succeeded' ? (imageResultSchema.safeParse(job.result).data ?? null) : null;

/** Shows the latest preview of a running job, or a placeholder. */
function UnfinishedImage({ job }: { job: Job }) {
  const url = useJobPreview(job);
  if (url !== null)
    return (
      <figure className="max-w-2xl animate-fade">
        <img src={url} alt={`${job.title}, not finished`} className="checker h-auto w-full rounded-control" />
        <figcaption className="mt-2 text-sm text-quiet">Preview. The image is not finished yet.</figcaption>
      </figure>
    );
  return (
    <div className="relative aspect-4/3 w-full max-w-xl rounded-control border border-line bg-sunken">
      <CornerMarks />
    </div>
  );
}
