import type { Job } from '#libs/contract/jobs.js';
import { BeforeAfter } from './before-after';
import type { ImageResult } from './image-proof';
import { ownAddress } from '../lib/own-address';

interface EditedImageProps {
  result: ImageResult;
  job: Job;
  /** What was sent, where this browser still has it. */
  before: string | null;
}

/** What came of an image, beside the image where it can be compared. */
export function EditedImage({ result: { content, width, height }, job, before }: EditedImageProps) {
  const after = ownAddress(content);
  if (before !== null)
    return <BeforeAfter before={before} after={after} alt={job.title} width={width} height={height} />;
  return (
    <img
      src={after}
      width={width}
      height={height}
      alt={job.title}
      className="checker h-auto w-full max-w-2xl animate-fade rounded-control"
    />
  );
}
