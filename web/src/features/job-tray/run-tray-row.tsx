import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ArrowUpRight, Square, X } from 'lucide-react';
import { CancelRunQuestion } from '../../modules/runs/lists/cancel-run-question';
import { RunIcon } from '../../modules/runs/lists/run-row';
import type { RunSummary } from '../../modules/runs/lists/run-summary';
import { dismissedRuns } from '../../modules/runs/state/dismissed-runs';
import { ProgressBar } from '../../shared/ui/progress-bar';
import { IconButton } from '../../shared/ui/icon-button';
import { moveFocusToNeighbour } from './job-tray-row';

/** Row for a batch or flow as a whole, instead of a row for each of its jobs. */
export function RunTrayRow({ run }: { run: RunSummary }) {
  const navigate = useNavigate();
  const [isAsking, setIsAsking] = useState(false);
  const actions = useRef<HTMLDivElement>(null);
  const { id, kind, title, path, progress, details, isOpen } = run;
  const canCancel = isOpen && kind === 'batch';
  return (
    <li className="border-b border-line px-4 py-2 last:border-b-0">
      <div className="flex items-center gap-3">
        <RunIcon run={run} className="size-4" />
        <div className="min-w-0 flex-1">
          <p className="truncate text-[0.9375rem]" title={title}>
            {title}
          </p>
          <p className="text-sm text-quiet">{[progress, ...details].join(' · ')}</p>
        </div>
        <div ref={actions} className="-mr-2 flex">
          <IconButton icon={ArrowUpRight} label={`Open: ${title}`} onClick={() => void navigate(path)} />
          {canCancel && (
            <IconButton
              icon={Square}
              label={`Cancel the rest: ${title}`}
              expanded={isAsking}
              onClick={() => setIsAsking(!isAsking)}
            />
          )}
          {!run.isAtWork && (
            <IconButton
              icon={X}
              label={`Dismiss: ${title}`}
              onClick={(button) => {
                moveFocusToNeighbour(button);
                dismissedRuns.add(id);
              }}
            />
          )}
        </div>
      </div>
      {canCancel && isAsking && (
        <div className="my-2">
          <CancelRunQuestion
            run={run}
            onClose={() => {
              setIsAsking(false);
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
          <ProgressBar label={`Progress of ${title}`} percent={run.percent} kind="measured" />
        </div>
      )}
    </li>
  );
}
