import type { ReactNode } from 'react';
import { CircleAlert, RotateCcw, X } from 'lucide-react';
import toast from 'react-hot-toast';
import type { NotebookDocument } from '#libs/contract/notebooks.js';
import { useLoadedJob, useRetryJob } from '../../../../modules/runs/jobs/job-calls';
import { canRetry, screenReaderStatus } from '../../../../modules/runs/jobs/job-status';
import { JobProgress } from '../../../../modules/submission/results/job-progress';
import { Button } from '../../../../shared/ui/button';
import { IconButton } from '../../../../shared/ui/icon-button';
import { ProgressBar } from '../../../../shared/ui/progress-bar';
import type { Upload } from './document-uploads';

interface UploadRowProps {
  upload: Upload;
  onRetry: () => void;
  onRemove: () => void;
}

/** A document that this tab sends, or could not send. */
export function UploadRow({
  upload: { name, state, message, canRetry: mayRetry },
  onRetry,
  onRemove,
}: UploadRowProps) {
  if (state === 'failed')
    return (
      <FailedRow name={name} message={message} onRetry={mayRetry ? onRetry : null} onRemove={onRemove} />
    );
  return (
    <Row name={name} cancel={onRemove}>
      <p role="status" className="mb-1.5 text-xs text-quiet">
        {message ?? (state === 'sending' ? 'Uploading' : 'Waiting for the others')}
      </p>
      {state === 'sending' && <ProgressBar label={`Upload of ${name}`} percent={0} kind="unknown" />}
    </Row>
  );
}

interface ReadingRowProps {
  document: NotebookDocument;
  onRemove: () => void;
}

/** A document that the server reads. */
export function ReadingRow({ document: { name, jobId }, onRemove }: ReadingRowProps) {
  const job = useLoadedJob(jobId)?.job;
  return (
    <Row name={name} cancel={onRemove}>
      <p role="status" className="sr-only">
        {job === undefined ? 'In the queue' : screenReaderStatus(job)}
      </p>
      {job === undefined ? (
        <ProgressBar label={`Reading ${name}`} percent={0} kind="unknown" />
      ) : (
        <JobProgress job={job} label={`Reading ${name}`} />
      )}
    </Row>
  );
}

/** A document that could not be read. A retry is a new job, so the row of the failed job is then removed. */
export function UnreadRow({ document: { name, jobId, message }, onRemove }: ReadingRowProps) {
  const job = useLoadedJob(jobId)?.job;
  const retry = useRetryJob();
  const retryJob = () => {
    if (jobId === null) return;
    retry.mutate(jobId, { onSuccess: onRemove, onError: (error) => toast.error(error.message) });
  };
  return (
    <FailedRow
      name={name}
      message={message}
      busy={retry.isPending}
      onRetry={job !== undefined && canRetry(job) ? retryJob : null}
      onRemove={onRemove}
    />
  );
}

function Row({ name, cancel, children }: { name: string; cancel: () => void; children: ReactNode }) {
  return (
    <li className="flex items-start gap-1 border-b border-line py-2 pl-3">
      <div className="min-w-0 flex-1">
        <bdi className="mb-1 line-clamp-2 text-sm wrap-anywhere" title={name}>
          {name}
        </bdi>
        {children}
      </div>
      <IconButton label={`Cancel ${name}`} icon={X} onClick={cancel} />
    </li>
  );
}

interface FailedRowProps {
  name: string;
  message: string | null;
  busy?: boolean;
  /** Null if another attempt would fail again. */
  onRetry: (() => void) | null;
  onRemove: () => void;
}

function FailedRow({ name, message, busy, onRetry, onRemove }: FailedRowProps) {
  return (
    <li className="flex items-start gap-3 border-b border-line py-2 pl-3">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="min-w-0 flex-1">
        <bdi className="line-clamp-2 text-sm wrap-anywhere" title={name}>
          {name}
        </bdi>
        <p role="alert" className="mt-0.5 text-xs wrap-anywhere text-danger">
          {message ?? 'It could not be read.'}
        </p>
        <div className="mt-2 flex flex-wrap gap-2">
          {onRetry !== null && (
            <Button size="small" busy={busy} onClick={onRetry}>
              <RotateCcw aria-hidden="true" className="size-4" />
              Try again
            </Button>
          )}
          <Button size="small" variant="quiet" onClick={onRemove}>
            Remove
          </Button>
        </div>
      </div>
    </li>
  );
}
