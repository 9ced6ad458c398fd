import { auditOutcome, type AuditEntry } from '#libs/contract/admin.js';
import { formatExact } from '../../shared/lib/format';

export const AuditRow = ({ entry }: { entry: AuditEntry }) => {
  const { at, operator, action, target, reason } = entry;
  const outcome = auditOutcome(entry);
  const details = detailsOf(entry);
  return (
    <li className="border-b border-line py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="min-w-0 wrap-anywhere">
          <span className="font-semibold">{action}</span> <span className="font-mono text-sm">{target}</span>
          {outcome !== 'done' && <span className="text-quiet"> ({outcome})</span>}
        </p>
        <p className="text-sm text-quiet">
          {operator}, {formatExact(at)}
        </p>
      </div>
      {reason && <p className="mt-1 wrap-anywhere">{reason}</p>}
      {details.length > 0 && (
        <dl className="mt-1 flex flex-wrap gap-x-4 text-xs text-quiet">
          {details.map(([name, value]) => (
            <div key={name} className="flex min-w-0 gap-x-1">
              <dt className="shrink-0">{name}:</dt>
              <dd className="min-w-0 wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
};

/** Names in words and values of the details; without what the outcome says. `changed` and `refused` may be numbers of jobs. */
const detailsOf = ({ details: { failed, ...details } }: AuditEntry): [string, string][] =>
  Object.entries(details)
    .filter(([name, value]) => (name !== 'changed' && name !== 'refused') || typeof value === 'number')
    .map(([name, value]) => [inWords(name), toText(value)]);

/** `wasPublished` as "was published". */
const inWords = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function toText(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(toText).join(', ');
  if (typeof value === 'object')
    return (
      Object.entries(value)
        .map(([name, one]) => `${inWords(name)} ${toText(one)}`)
        .join(', ') || 'none'
    );
  return typeof value === 'string' ? value : JSON.stringify(value);
}

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
