import { Ban, Check, CircleAlert, Clock, Trash2 } from 'lucide-react';
import type { BatchItem } from '#libs/contract/batches.js';
import type { ErrorCode } from '#libs/contract/errors.js';
import type { Job } from '#libs/contract/jobs.js';
import { formatQueuePosition } from '../../../shared/lib/format';
import { Spinner } from '../../../shared/ui/spinner';

/** Decorative: the text next to it has the same content. */
export function StatusIcon({ job, className = 'size-4' }: { job: Job; className?: string }) {
  switch (job.status) {
    case 'queued':
      return <Clock aria-hidden="true" className={`${className} shrink-0 text-quiet`} />;
    case 'running':
      return <Spinner className={`${className} text-live`} />;
    case 'succeeded':
      if (job.resultDeleted)
        return <Trash2 aria-hidden="true" className={`${className} shrink-0 text-quiet`} />;
      return <Check aria-hidden="true" className={`${className} shrink-0 text-success`} />;
    case 'failed':
      return <CircleAlert aria-hidden="true" className={`${className} shrink-0 text-danger`} />;
    case 'cancelled':
      return <Ban aria-hidden="true" className={`${className} shrink-0 text-quiet`} />;
  }
}

/** The status for live regions: without the estimate, which changes every second. */
export const screenReaderStatus = (job: Job): string =>
  job.status === 'queued' && job.position !== null ? 'In the queue' : statusText(job);

export function statusText(job: Job): string {
  switch (job.status) {
    case 'queued':
      // The message of a job that waits for a retry has its time.
      return job.position === null || job.waiting?.reason === 'retry'
        ? job.progress.message || 'In the queue'
        : formatQueuePosition(job.position, job.etaSeconds);
    case 'running':
      return job.progress.message;
    case 'succeeded':
      return job.resultDeleted ? 'Deleted' : 'Done';
    case 'failed':
      return 'Not finished';
    case 'cancelled':
      return 'Cancelled';
  }
}

/** Errors that a retry cannot solve. */
const finalErrors: readonly ErrorCode[] = [
  'ENGINE_CANNOT',
  'NOT_FOUND',
  'UNREADABLE_PDF',
  'UNREADABLE_IMAGE',
];

interface RetryCandidate extends Pick<Job, 'error'> {
  status: Job['status'] | BatchItem['state'];
}

/** Whether a retry of the job can succeed. */
export const canRetry = ({ status, error }: RetryCandidate): boolean =>
  status === 'cancelled' || (status === 'failed' && !(error && finalErrors.includes(error.code)));
