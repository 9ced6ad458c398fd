import { Link } from 'react-router-dom';
import type { Flow } from '#libs/contract/flows.js';
import { formatDate } from '../../../shared/lib/format';
import { paths } from '../../../shared/paths';
import { FlowIcon } from './flow-icon';
import { progressText } from './flow-text';

/** A flow as a link of a list. */
export function FlowRow({ flow }: { flow: Flow }) {
  const { id, title, createdAt } = flow;
  return (
    <li className="border-b border-line">
      <Link
        to={paths.flow(id)}
        className="flex items-center gap-3 px-2 py-3 transition-colors hover:bg-tint sm:px-4"
      >
        <FlowIcon flow={flow} />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-[0.9375rem]">{title}</span>
          <span className="block text-sm text-quiet">
            {progressText(flow)} <span aria-hidden="true">·</span> {formatDate(createdAt)}
          </span>
        </span>
      </Link>
    </li>
  );
}
