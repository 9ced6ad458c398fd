import { Link } from 'react-router-dom';
import { CircleAlert, Images, Upload } from 'lucide-react';
import type { Batch } from '#libs/contract/batches.js';
import { formatDate } from '../../../shared/lib/format';
import { paths } from '../../../shared/paths';
import { Spinner } from '../../../shared/ui/spinner';
import { isAtWork, progressText } from './batch-text';

/** A batch as a link of a list. */
export function BatchRow({ batch }: { batch: Batch }) {
  const { id, title, status, counts, createdAt } = batch;
  return (
    <li className="border-b border-line">
      <Link
        to={paths.batch(id)}
        className="flex items-center gap-3 px-2 py-3 transition-colors hover:bg-tint sm:px-4"
      >
        {isAtWork(batch) ? (
          <Spinner className="size-5 text-live" />
        ) : status === 'open' ? (
          <Upload aria-hidden="true" className="size-5 shrink-0 text-quiet" />
        ) : counts.failed > 0 ? (
          <CircleAlert aria-hidden="true" className="size-5 shrink-0 text-danger" />
        ) : (
          <Images aria-hidden="true" className="size-5 shrink-0 text-quiet" />
        )}
        <span className="min-w-0 flex-1">
          <span className="block truncate text-[0.9375rem]">{title}</span>
          <span className="block text-sm text-quiet">
            {progressText(batch)}
            {status === 'open' && counts.missing > 0 && `, ${counts.missing} to be sent`}{' '}
            <span aria-hidden="true">·</span> {formatDate(createdAt)}
          </span>
        </span>
      </Link>
    </li>
  );
}
