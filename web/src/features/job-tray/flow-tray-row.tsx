import { useNavigate } from 'react-router-dom';
import { ArrowUpRight, X } from 'lucide-react';
import type { Flow } from '#libs/contract/flows.js';
import { FlowIcon } from '../../modules/runs/flows/flow-icon';
import { percentOf, progressText } from '../../modules/runs/flows/flow-text';
import { dismissedJobs } from '../../modules/runs/jobs/dismissed-jobs';
import { paths } from '../../shared/paths';
import { useFindToolPage } from '../../shared/tools/tool-pages';
import { ProgressBar } from '../../shared/ui/progress-bar';
import { RowAction } from '../../shared/ui/row-action';
import { moveFocusToNeighbour } from './job-tray-row';

/** A flow: one line, whichever of its steps is at work. */
export function FlowTrayRow({ flow }: { flow: Flow }) {
  const navigate = useNavigate();
  const findToolPage = useFindToolPage();
  const { id, title, status, steps } = flow;
  const isOpen = status === 'open';
  const atWork = steps
    .filter(({ state }) => state === 'queued' || state === 'running')
    .map(({ tool }) => findToolPage(tool)?.label ?? tool);
  return (
    <li className="border-b border-line px-4 py-2 last:border-b-0">
      <div className="flex items-center gap-3">
        <FlowIcon flow={flow} />
        <div className="min-w-0 flex-1">
          <p className="truncate text-[0.9375rem]" title={title}>
            {title}
          </p>
          <p className="text-sm text-quiet">{[progressText(flow), ...atWork].join(' · ')}</p>
        </div>
        <div className="-mr-2 flex">
          <RowAction
            icon={ArrowUpRight}
            label={`Open: ${title}`}
            onClick={() => void navigate(paths.flow(id))}
          />
          {!isOpen && (
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
      {isOpen && (
        <div className="mt-2 mb-1">
          <ProgressBar label={`Progress of ${title}`} percent={percentOf(flow)} kind="measured" />
        </div>
      )}
    </li>
  );
}
