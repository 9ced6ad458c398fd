import { useNavigate } from 'react-router-dom';
import { ArrowUpRight, Images, Square, X } from 'lucide-react';
import toast from 'react-hot-toast';
import type { Batch } from '#libs/contract/batches.js';
import { useCancelBatch } from '../../shared/batches/batch-calls';
import { percentOf, pictures, progressText } from '../../shared/batches/batch-text';
import { dismissedJobs } from '../../shared/jobs/dismissed-jobs';
import { paths } from '../../shared/paths';
import { ProgressBar } from '../../shared/ui/progress-bar';
import { Spinner } from '../../shared/ui/spinner';
import { Action, moveFocusToNeighbour } from './job-tray-row';
import { isAtWork } from './use-tray-jobs';

/** A batch: one line, however many its pictures. */
export function BatchTrayRow({ batch }: { batch: Batch }) {
  const navigate = useNavigate();
  const cancel = useCancelBatch();
  const { id, title, status, counts } = batch;
  const isOpen = status === 'open';
  return (
    <li className="border-b border-line px-4 py-2 last:border-b-0">
      <div className="flex items-center gap-3">
        {isAtWork(batch) ? (
          <Spinner className="size-4 text-live" />
        ) : (
          <Images aria-hidden="true" className="size-4 shrink-0 text-quiet" />
        )}
        <div className="min-w-0 flex-1">
          <p className="truncate text-[0.9375rem]" title={title}>
            {title}
          </p>
          <p className="text-sm text-quiet">
            {progressText(batch)}
            {isOpen && counts.missing > 0 && `; ${pictures(counts.missing)} to be sent`}
          </p>
        </div>
        <div className="-mr-2 flex">
          <Action
            icon={ArrowUpRight}
            label={`Open: ${title}`}
            onClick={() => void navigate(paths.batch(id))}
          />
          {isOpen && (
            <Action
              icon={Square}
              label={`Cancel what is left: ${title}`}
              busy={cancel.isPending}
              onClick={() => cancel.mutate(id, { onError: ({ message }) => toast.error(message) })}
            />
          )}
          {!isAtWork(batch) && (
            <Action
              icon={X}
              label={`Dismiss: ${title}`}
              onClick={(button) => {
                moveFocusToNeighbour(button);
                dismissedJobs.add(id);
              }}
            />
          )}
        </div>
      </div>
      {isOpen && (
        <div className="mt-2 mb-1">
          <ProgressBar label={`Progress of ${title}`} percent={percentOf(batch)} kind="measured" />
        </div>
      )}
    </li>
  );
}
