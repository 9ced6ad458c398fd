import { CircleAlert, Images, Upload, Workflow } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatDate } from '../../../shared/lib/format';
import { Spinner } from '../../../shared/ui/spinner';
import type { RunSummary } from './run-summary';

/** A list row that links to a batch or flow. */
export function RunRow({ run }: { run: RunSummary }) {
  const { path, title, progress, details, createdAt } = run;
  return (
    <li className="border-b border-line">
      <Link to={path} className="flex items-center gap-3 px-2 py-3 transition-colors hover:bg-tint sm:px-4">
        <RunIcon run={run} className="size-5" />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-[0.9375rem]">{title}</span>
          <span className="block text-sm text-quiet">
            {[progress, ...details].join(', ')} <span aria-hidden="true">·</span> {formatDate(createdAt)}
          </span>
        </span>
      </Link>
    </li>
  );
}

/** Icon of a run's status. Hidden from screen readers, since the text next to it says the same. */
export function RunIcon({ run, className }: { run: RunSummary; className: 'size-4' | 'size-5' }) {
  if (run.isAtWork) return <Spinner className={`${className} text-live`} />;
  if (run.hasFailed && !run.isOpen)
    return <CircleAlert aria-hidden="true" className={`${className} shrink-0 text-danger`} />;
  const Icon = run.kind === 'flow' ? Workflow : run.isOpen ? Upload : Images;
  return <Icon aria-hidden="true" className={`${className} shrink-0 text-quiet`} />;
}
