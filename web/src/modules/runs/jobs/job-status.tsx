import { Ban, Check, CircleAlert, Clock, Trash2, X } from 'lucide-react';
import type { BatchItem } from '#libs/contract/batches.js';
import type { ErrorCode } from '#libs/contract/errors.js';
import type { Job } from '#libs/contract/jobs.js';
import { formatQueuePosition } from '../../../shared/lib/format';
import { Spinner } from '../../../shared/ui/spinner';

const icons = {
  waiting: [Clock, 'text-quiet'],
  queued: [Clock, 'text-quiet'],
  succeeded: [Check, 'text-success'],
  failed: [CircleAlert, 'text-danger'],
  cancelled: [Ban, 'text-quiet'],
  'left-out': [X, 'text-quiet'],
  deleted: [Trash2, 'text-quiet'],
} as const;

interface StateIconProps {
  state: keyof typeof icons | 'running';
  className?: string;
}

/** Icon of a job's status. Hidden from screen readers, since the text next to it says the same. */
export function StateIcon({ state, className = 'size-4' }: StateIconProps) {
  if (state === 'running') return <Spinner className={`${className} text-live`} />;
  const [Icon, color] = icons[state];
  return <Icon aria-hidden="true" className={`${className} shrink-0 ${color}`} />;
}

export const StatusIcon = ({ job, className }: { job: Job; className?: string }) => (
  <StateIcon
    state={job.status === 'succeeded' && job.resultDeleted ? 'deleted' : job.status}
    className={className}
  />
);

/** Status for live regions. Without the estimated wait, which changes every second and would be announced each time. */
export const screenReaderStatus = (job: Job): string =>
  job.status === 'queued' && job.position !== null ? 'In the queue' : statusText(job);

export function statusText(job: Job): string {
  switch (job.status) {
    case 'queued':
      // For a job that waits for a retry, the message says when the retry is.
      return job.position === null || job.waiting?.reason === 'retry'
        ? job.progress.message || 'In the queue'
        : formatQueuePosition(job.position, job.etaSeconds);
    case 'running':
      return job.progress.message;
    case 'succeeded':
      return job.resultDeleted ? 'Deleted' : 'Done';
    case 'failed':
      return 'Failed';
    case 'cancelled':
      return 'Cancelled';
  }
}

/** Errors that a retry would only repeat. */
const finalErrors: readonly ErrorCode[] = [
  'BUDGET_EXHAUSTED',
  'ENGINE_CANNOT',
  'NOT_FOUND',
  'UNREADABLE_PDF',
  'UNREADABLE_DOCUMENT',
  'UNREADABLE_IMAGE',
];

interface RetryCandidate extends Pick<Job, 'error'> {
  status: Job['status'] | BatchItem['state'];
}

/** True if the job ended without a result and a retry can succeed. */
export const canRetry = ({ status, error }: RetryCandidate): boolean =>
  status === 'cancelled' || (status === 'failed' && !(error && finalErrors.includes(error.code)));
