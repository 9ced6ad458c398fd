import type { AuditEntry } from '#libs/contract/admin.js';
import { formatExact } from '../../shared/lib/format';

export const AuditRow = ({
  entry: { at, operator, action, target, reason, details },
}: {
  entry: AuditEntry;
}) => (
  <li className="border-b border-line py-3">
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
      <p className="min-w-0 wrap-anywhere">
        <span className="font-semibold">{action}</span> <span className="font-mono text-sm">{target}</span>
      </p>
      <p className="text-sm text-quiet">
        {operator}, {formatExact(at)}
      </p>
    </div>
    {reason && <p className="mt-1 wrap-anywhere">{reason}</p>}
    {Object.keys(details).length > 0 && (
      <p className="mt-1 font-mono text-xs wrap-anywhere text-quiet">{JSON.stringify(details)}</p>
    )}
  </li>
);

export function AuditList({ entries }: { entries: AuditEntry[] }) {
  if (entries.length === 0) return <p className="text-quiet">No operator has changed this.</p>;
  return (
    <ul className="border-t border-line">
      {entries.map((entry) => (
        <AuditRow key={entry.id} entry={entry} />
      ))}
    </ul>
  );
}
