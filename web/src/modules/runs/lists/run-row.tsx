import { Link } from 'react-router-dom';
import { formatDate } from '../../../shared/lib/format';
import { RunIcon } from './run-icon';
import type { RunSummary } from './run-summary';

/** A batch or a flow as a link of a list. */
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
