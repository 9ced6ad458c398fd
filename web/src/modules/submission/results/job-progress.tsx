import type { Job } from '#libs/contract/jobs.js';
import { ProgressBar } from '../../../shared/ui/progress-bar';
import { percentText, waitingText } from './displayed-progress';
import { useDisplayedProgress } from './use-displayed-progress';

interface JobProgressProps {
  job: Job;
  /** The bar's name for screen readers. */
  label: string;
}

/** The progress bar of an unfinished job, its details, and why it waits. */
export function JobProgress({ job, label }: JobProgressProps) {
  const progress = useDisplayedProgress(job);
  const detail = waitingText(job) ?? progress.detail;
  const percent = percentText(progress);
  return (
    <>
      {/* Screen readers get this from the bar. */}
      <div
        className="mb-1.5 flex min-h-4 flex-wrap justify-between gap-x-4 font-mono text-xs text-quiet"
        aria-hidden="true"
      >
        <span>{detail}</span>
        {percent !== '' && <span className="ml-auto">{percent}</span>}
      </div>
      <ProgressBar label={label} {...progress} detail={detail} />
    </>
  );
}
