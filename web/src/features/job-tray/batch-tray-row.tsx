import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ArrowUpRight, Images, Square, X } from 'lucide-react';
import type { Batch } from '#libs/contract/batches.js';
import { isAtWork, percentOf, pictures, progressText } from '../../modules/runs/batches/batch-text';
import { CancelBatchQuestion } from '../../modules/runs/batches/cancel-batch-question';
import { dismissedJobs } from '../../modules/runs/jobs/dismissed-jobs';
import { paths } from '../../shared/paths';
import { ProgressBar } from '../../shared/ui/progress-bar';
import { RowAction } from '../../shared/ui/row-action';
import { Spinner } from '../../shared/ui/spinner';
import { moveFocusToNeighbour } from './job-tray-row';

/** A batch: one line, however many its pictures. */
export function BatchTrayRow({ batch }: { batch: Batch }) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState(false);
  const actions = useRef<HTMLDivElement>(null);
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
        <div ref={actions} className="-mr-2 flex">
          <RowAction
            icon={ArrowUpRight}
            label={`Open: ${title}`}
            onClick={() => void navigate(paths.batch(id))}
          />
          {isOpen && (
            <RowAction
              icon={Square}
              label={`Cancel what is left: ${title}`}
              expanded={asked}
              onClick={() => setAsked(!asked)}
            />
          )}
          {!isAtWork(batch) && (
            <RowAction
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
      {isOpen && asked && (
        <div className="my-2">
          <CancelBatchQuestion
            batch={batch}
            onClose={() => {
              setAsked(false);
              (
                actions.current?.querySelector<HTMLElement>('[aria-expanded]') ??
                actions.current?.querySelector('button')
              )?.focus({ preventScroll: true });
            }}
          />
        </div>
      )}
      {isOpen && (
        <div className="mt-2 mb-1">
          <ProgressBar label={`Progress of ${title}`} percent={percentOf(batch)} kind="measured" />
        </div>
      )}
    </li>
  );
}
