import { Ban, Check, CircleAlert, Clock } from 'lucide-react';
import type { Job } from '#libs/contract/jobs.js';
import { formatPlace } from '../lib/format';
import { Spinner } from '../ui/spinner';

/** What a job is doing, as a mark. The words beside it say the same. */
export function StatusMark({ job, className = 'size-4' }: { job: Job; className?: string }) {
  switch (job.status) {
    case 'queued':
      return <Clock aria-hidden="true" className={`${className} shrink-0 text-quiet`} />;
    case 'running':
      return <Spinner className={`${className} text-live`} />;
    case 'succeeded':
      return <Check aria-hidden="true" className={`${className} shrink-0 text-success`} />;
    case 'failed':
      return <CircleAlert aria-hidden="true" className={`${className} shrink-0 text-danger`} />;
    case 'cancelled':
      return <Ban aria-hidden="true" className={`${className} shrink-0 text-quiet`} />;
  }
}

/** What is read out of a job as it goes: its steps and its end, not every second of a wait. */
export const spokenWords = (job: Job): string =>
  job.status === 'queued' && job.position !== null ? 'In the queue' : statusWords(job);

/** What a job is doing, in words. */
export function statusWords(job: Job): string {
  switch (job.status) {
    case 'queued':
      // A job that waits for another attempt says so itself; it has no place in the queue.
      return job.position === null
        ? job.progress.message || 'In the queue'
        : formatPlace(job.position, job.etaSeconds);
    case 'running':
      return job.progress.message;
    case 'succeeded':
      return 'Done';
    case 'failed':
      return 'Not finished';
    case 'cancelled':
      return 'Cancelled';
  }
}
