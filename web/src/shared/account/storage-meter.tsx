import { useId } from 'react';
import type { Account } from '#libs/contract/account.js';
import { formatCount, formatUtcDay } from '../lib/format';
import { Meter } from '../ui/meter';

const MB = 1024 * 1024;
/** Fraction of the limit from which the meter warns. */
const NEARLY_FULL = 0.9;

/** Shows the user's used storage as a bar and as text, and limits that an operator gave for a time. */
export function StorageMeter({
  account: {
    storage: { used, limit },
    limits,
  },
}: {
  account: Pick<Account, 'storage' | 'limits'>;
}) {
  const id = useId();
  const isNearlyFull = used >= NEARLY_FULL * limit;
  const words = `${formatSize(used)} of ${formatSize(limit)} used`;
  return (
    <div className="grid gap-2 text-sm">
      <div className="flex flex-wrap justify-between gap-x-4 gap-y-1">
        <span id={id} className="font-semibold">
          Storage
        </span>
        <span className={isNearlyFull ? 'font-semibold text-danger' : ''}>{words}</span>
      </div>
      <Meter labelledBy={id} value={used} max={limit} detail={words} isWarning={isNearlyFull} />
      {limits && (
        <p className="text-quiet">
          Until {formatUtcDay(limits.until)}, you may have {limitWords(limits)}.
        </p>
      )}
      {isNearlyFull && (
        <p className="text-quiet">
          {used >= limit ? 'Your storage is full. ' : 'Your storage is almost full. '}
          Delete creations or PDF chats that you no longer need. Files of ended jobs are deleted automatically
          within an hour, and originals of batches when their room is needed.
        </p>
      )}
    </div>
  );
}

const limitWords = ({ unfinishedJobs, storageBytes }: NonNullable<Account['limits']>): string =>
  [
    ...(unfinishedJobs === null ? [] : [formatCount(unfinishedJobs, 'unfinished job')]),
    ...(storageBytes === null ? [] : [`${formatSize(storageBytes)} of storage`]),
  ].join(' and ');

/** Formats bytes as "2 GB" or "1.4 MB", rounded up. */
function formatSize(bytes: number): string {
  const megabytes = bytes / MB;
  const [value, unit] = megabytes >= 1_000 ? [megabytes / 1_000, 'GB'] : [megabytes, 'MB'];
  return `${(Math.ceil(value * 10) / 10).toLocaleString('en')} ${unit}`;
}
