import toast from 'react-hot-toast';
import { useSearchParams } from 'react-router-dom';
import type { AuditFilter } from '#libs/contract/admin.js';
import { queryKeys } from '../../shared/http/query-keys';
import { saveFile } from '../../shared/lib/save-file';
import { useChangeParameters } from '../../shared/lib/use-change-parameters';
import { Button } from '../../shared/ui/button';
import { PageHeading } from '../../shared/ui/page-heading';
import { PagedList } from '../../shared/ui/paged-list';
import { SearchBox } from '../../shared/ui/search-box';
import { useAuditCsv, useAuditLog } from './admin-api';
import { AuditRow } from './audit-list';
import { ListNotice } from './query-panel';
import { TimeFilter, timeOf } from './time-filter';

const fields = [
  ['operator', 'Operator'],
  ['action', 'Action, such as user.suspend'],
  ['target', 'Id of a job, user or creation'],
] as const;
const times = [
  ['from', 'From'],
  ['to', 'Before'],
] as const;

export default function AdminAuditPage() {
  const [parameters] = useSearchParams();
  const change = useChangeParameters();
  const query: AuditFilter = Object.fromEntries(
    [
      ...fields.map(([name]) => [name, parameters.get(name) ?? undefined] as const),
      ...times.map(([name]) => [name, timeOf(parameters.get(name))] as const),
    ].filter(([, value]) => value),
  );
  const log = useAuditLog(query);
  const csv = useAuditCsv();
  const download = () =>
    csv.mutate(query, {
      onSuccess: (blob) => saveFile(blob, `audit-${new Date().toISOString().slice(0, 10)}.csv`),
      onError: ({ message }) => toast.error(message),
    });
  return (
    <>
      <PageHeading
        lead="What operators did, by this page and by commands. Nothing can be changed here."
        actions={
          <Button busy={csv.isPending} onClick={download}>
            Download as CSV
          </Button>
        }
      >
        Audit log
      </PageHeading>
      <div className="mb-6 grid gap-4 sm:grid-cols-3">
        {fields.map(([name, label]) => (
          <SearchBox
            key={name}
            label={label}
            placeholder={label}
            value={parameters.get(name) ?? ''}
            onChange={(value) => change({ [name]: value || null })}
          />
        ))}
        {times.map(([name, label]) => (
          <TimeFilter key={name} name={name} label={label} value={timeOf(parameters.get(name))} />
        ))}
      </div>
      <ListNotice query={log} />
      <PagedList
        pages={log}
        queryKey={queryKeys.admin.audit(query)}
        what="the audit log"
        empty={<p className="text-quiet">There are no such entries.</p>}
        rows={(log.data?.pages ?? []).flat().map((entry) => (
          <AuditRow key={entry.id} entry={entry} />
        ))}
      />
    </>
  );
}
