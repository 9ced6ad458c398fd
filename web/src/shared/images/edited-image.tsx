import type { Job } from '#libs/contract/jobs.js';
import { BeforeAfter } from './before-after';
import type { ImageResult } from './image-result-pane';
import { sameOriginUrl } from '../lib/same-origin-url';

interface EditedImageProps {
  result: ImageResult;
  job: Job;
  /** The original, if this browser still has it. */
  before: string | null;
}

export function EditedImage({ result: { content, width, height }, job, before }: EditedImageProps) {
  const after = sameOriginUrl(content);
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
