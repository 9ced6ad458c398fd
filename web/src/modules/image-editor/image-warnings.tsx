import type { Creation } from '#libs/contract/creations.js';
import { editedImageSchema, type ImageBox, type ImageWarning } from '#libs/contract/images.js';
import { useLoadedJob } from '../runs/jobs/job-calls';
import { Notice } from '../../shared/ui/notice';

const warnedSchema = editedImageSchema.pick({ content: true, warnings: true });

/** What to check in a creation's image; nothing once its user has made another version. */
export function useImageWarnings({ jobId, content }: Creation): readonly ImageWarning[] {
  const result = warnedSchema.safeParse(useLoadedJob(jobId)?.job.result).data;
  return result?.content === content ? (result.warnings ?? []) : [];
}

interface ImageWarningsProps {
  warnings: readonly ImageWarning[];
}

/** What to check in a result, in words. */
export const WarningNotices = ({ warnings }: ImageWarningsProps) =>
  warnings.map(({ message }) => (
    <Notice key={message} tone="warning" title="Check this edge">
      {message.replace(/^Check this edge: a/, 'In the marked area, a')} Edit the cut-out to correct it.
    </Notice>
  ));

/** Frames around the areas of warnings, over an image. */
export const WarningMarks = ({ warnings }: ImageWarningsProps) =>
  warnings.map(({ area }) => area !== null && <Mark key={area.left} area={area} />);

/** @param area in shares of the image */
function Mark({ area: { left, top, right, bottom } }: { area: ImageBox }) {
  const percent = (share: number) => `${100 * share}%`;
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute rounded-[4px] border-2 border-[white] shadow-[0_0_0_1px_black,inset_0_0_0_1px_black]"
      style={{
        left: percent(left),
        top: percent(top),
        width: percent(right - left),
        height: percent(bottom - top),
      }}
    />
  );
}
