import type { Job } from '#libs/contract/jobs.js';
import { ProgressBar } from '../../../shared/ui/progress-bar';
import { percentText, waitingText } from './displayed-progress';
import { useDisplayedProgress } from './use-displayed-progress';

interface JobProgressProps {
  job: Job;
  /** Label of the bar for screen readers. */
  label: string;
}

/** The progress bar of an unfinished job, with details or the reason why the job waits. */
export function JobProgress({ job, label }: JobProgressProps) {
  const progress = useDisplayedProgress(job);
  const detail = waitingText(job) ?? progress.detail;
  const percent = percentText(progress);
  return (
    <>
      {/* Hidden from screen readers, which read the same text from the bar's `aria-valuetext`. */}
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
