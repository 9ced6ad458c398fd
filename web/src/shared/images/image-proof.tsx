import type { ReactNode } from 'react';
import { z } from 'zod';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import { pictureSchema } from '#libs/contract/picture-result.js';
import { Notice } from '../ui/notice';
import { Proof } from '../results/proof';
import type { ToolRun } from '../results/use-tool-run';
import { RegisterMarks } from '../ui/register-marks';
import { useCreation } from '../api/creation-pages';
import { DownloadButton } from './download-button';
import { PublishActions } from './publish-actions';

/** What the three image tools answer alike. */
const imageResultSchema = pictureSchema
  .pick({ content: true, width: true, height: true, notice: true })
  .extend({ creationId: z.string().optional() });
export type ImageResult = z.infer<typeof imageResultSchema>;

interface ImageProofProps {
  run: ToolRun;
  sample: ReactNode;
  /** The downloaded file's name, without time and extension. */
  fileName: string;
  extension: 'jpg' | 'png';
  /** Shows the image. */
  children: (result: ImageResult, job: Job) => ReactNode;
}

/** The proof of a tool that makes an image: a blank sheet while it works, then the image, what to know of it, Download. */
export function ImageProof({ run, sample, fileName, extension, children }: ImageProofProps) {
  return (
    <Proof
      run={run}
      sample={sample}
      actions={({ job }) => {
        const result = resultOf(job);
        return (
          result && (
            <>
              <DownloadButton url={result.content} name={fileName} extension={extension} />
              <Publishing id={result.creationId ?? null} />
            </>
          )
        );
      }}
    >
      {({ job }) => {
        const result = resultOf(job);
        if (result === null) return !isEnded(job.status) && <BlankSheet />;
        return (
          <div className="grid gap-6">
            {result.notice !== null && <Notice tone="note">{result.notice}</Notice>}
            {children(result, job)}
          </div>
        );
      }}
    </Proof>
  );
}

/** Nothing where the creation was deleted since. */
function Publishing({ id }: { id: string | null }) {
  const creation = useCreation(id).data;
  return creation === undefined ? null : <PublishActions creation={creation} />;
}

const resultOf = (job: Job): ImageResult | null =>
  job.status === 'succeeded' ? (imageResultSchema.safeParse(job.result).data ?? null) : null;

/** Where the image will be. */
function BlankSheet() {
  return (
    <div className="relative aspect-4/3 w-full max-w-xl rounded-control border border-line bg-sunken">
      <RegisterMarks />
    </div>
  );
}
