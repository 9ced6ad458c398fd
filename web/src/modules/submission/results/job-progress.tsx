import type { Job } from '#libs/contract/jobs.js';
import { ProgressBar } from '../../../shared/ui/progress-bar';
import { percentText, waitingText } from './shown-progress';
import { useShownProgress } from './use-shown-progress';

interface JobProgressProps {
  job: Job;
  /** The bar's name for screen readers. */
  label: string;
}

/** How far an unfinished job is, why it waits, and its bar. */
export function JobProgress({ job, label }: JobProgressProps) {
  const shown = useShownProgress(job);
  const detail = waitingText(job) ?? shown.detail;
  const percent = percentText(shown);
  return (
    <>
      {/* The bar says the same to screen readers. */}
      <div
        className="mb-1.5 flex min-h-4 flex-wrap justify-between gap-x-4 font-mono text-xs text-quiet"
        aria-hidden="true"
      >
        <span>{detail}</span>
        {percent !== '' && <span className="ml-auto">{percent}</span>}
      </div>
      <ProgressBar label={label} {...shown} detail={detail} />
    </>
  );
}
