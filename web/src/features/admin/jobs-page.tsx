import { useState } from 'react';
import toast from 'react-hot-toast';
import { Link, useSearchParams } from 'react-router-dom';
import { MAX_BULK_JOBS, type AdminJob, type BulkAct, type JobFilter } from '#libs/contract/admin.js';
import { errorStatus } from '#libs/contract/errors.js';
import { jobStatuses, queueNames } from '#libs/contract/jobs.js';
import { UUID } from '#libs/contract/text.js';
import { queryKeys } from '../../shared/http/query-keys';
import { useChangeParameters } from '../../shared/lib/use-change-parameters';
import { formatCount, formatExact, formatSeconds } from '../../shared/lib/format';
import { paths } from '../../shared/paths';
import { useToolPages } from '../../shared/tools/tool-pages';
import { Button } from '../../shared/ui/button';
import { FieldFrame } from '../../shared/ui/field-frame';
import { PageHeading } from '../../shared/ui/page-heading';
import { PagedList } from '../../shared/ui/paged-list';
import { SearchBox } from '../../shared/ui/search-box';
import { Select } from '../../shared/ui/select';
import { useActOnJobs, useCountJobs, useJobs, type JobsQuery } from './admin-api';
import { Status } from './facts';
import { ListNotice } from './query-panel';
import { ReasonDialog } from './reason-dialog';
import { TimeFilter, timeOf } from './time-filter';

const parameterNames = ['status', 'queue', 'tool', 'user', 'text', 'order'] as const;
const timeNames = ['from', 'to', 'endedFrom'] as const;

/** The text may be the id of a job or a request, an error code, or words of an error. */
function toQuery(parameters: URLSearchParams): JobsQuery {
  const [status, queue, tool, user, text, order] = parameterNames.map(
    (name) => parameters.get(name) ?? undefined,
  );
  const found = !text
    ? {}
    : UUID.test(text)
      ? { id: text }
      : Object.hasOwn(errorStatus, text)
        ? { code: text }
        : { words: text };
  const times = Object.fromEntries(timeNames.map((name) => [name, timeOf(parameters.get(name))]));
  return { status, queue, tool, user, order, ...times, ...found } as JobsQuery;
}

export default function AdminJobsPage() {
  const [parameters] = useSearchParams();
  const query = toQuery(parameters);
  const jobs = useJobs(query);
  const { order, ...filters } = query;
  // This order lists waiting jobs only.
  const filter: JobFilter = order === 'longest-wait' ? { ...filters, status: 'queued' } : filters;
  return (
    <>
      <PageHeading lead="Of all users. Prompts, files and results are hidden.">Jobs</PageHeading>
      <Filters />
      <BulkActs key={JSON.stringify(filter)} filter={filter} />
      <ListNotice query={jobs} />
      <PagedList
        pages={jobs}
        queryKey={queryKeys.admin.jobs(query)}
        what="the jobs"
        empty={<p className="text-quiet">There are no such jobs.</p>}
        rows={(jobs.data?.pages ?? [])
          .flatMap(({ jobs: page }) => page)
          .map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
      />
    </>
  );
}

function Filters() {
  const [parameters] = useSearchParams();
  const change = useChangeParameters();
  const toolPages = useToolPages();
  const select = (name: string, label: string, options: [value: string, label: string][]) => (
    <FieldFrame id={`filter-${name}`} label={label}>
      <Select
        id={`filter-${name}`}
        value={parameters.get(name) ?? ''}
        onChange={({ currentTarget }) => change({ [name]: currentTarget.value || null })}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Select>
    </FieldFrame>
  );
  return (
    <div className="mb-6 grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <SearchBox
          label="Id, error code or words of the error"
          placeholder="Id, error code or words of the error"
          value={parameters.get('text') ?? ''}
          onChange={(text) => change({ text: text || null })}
        />
        <SearchBox
          label="Id or part of the email of the user"
          placeholder="Id or part of the email of the user"
          value={parameters.get('user') ?? ''}
          onChange={(user) => change({ user: user || null })}
        />
      </div>
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        {select('status', 'State', [
          ['', 'all'],
          ...jobStatuses.map((name): [string, string] => [name, name]),
        ])}
        {select('queue', 'Queue', [['', 'all'], ...queueNames.map((name): [string, string] => [name, name])])}
        {select('tool', 'Tool', [
          ['', 'all'],
          ...toolPages.map(({ name, label }): [string, string] => [name, label]),
        ])}
        {select('order', 'Order', [
          ['', 'newest first'],
          ['longest-wait', 'longest wait first'],
        ])}
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        <TimeFilter name="from" label="Created from" value={timeOf(parameters.get('from'))} />
        <TimeFilter name="to" label="Created before" value={timeOf(parameters.get('to'))} />
        <TimeFilter name="endedFrom" label="Ended from" value={timeOf(parameters.get('endedFrom'))} />
      </div>
    </div>
  );
}

function BulkActs({ filter }: { filter: JobFilter }) {
  const [asked, setAsked] = useState<{ action: BulkAct['action']; count: number } | null>(null);
  const count = useCountJobs();
  const ask = (action: BulkAct['action']) =>
    count.mutate(
      { ...filter, action },
      {
        onSuccess: (answer) => setAsked({ action, count: answer.count }),
        onError: ({ message }) => toast.error(message),
      },
    );
  return (
    <div className="mb-6 flex flex-wrap gap-3">
      <Button size="small" busy={count.isPending} onClick={() => ask('retry')}>
        Retry all of these…
      </Button>
      <Button size="small" variant="danger" busy={count.isPending} onClick={() => ask('cancel')}>
        Cancel all of these…
      </Button>
      {asked && asked.count > 0 && asked.count <= MAX_BULK_JOBS && (
        <BulkDialog {...asked} filter={filter} onClose={() => setAsked(null)} />
      )}
      {asked && (asked.count === 0 || asked.count > MAX_BULK_JOBS) && (
        <p role="status" className="self-center text-sm text-quiet">
          {asked.count === 0
            ? `None of these can be ${asked.action === 'cancel' ? 'cancelled' : 'retried'}.`
            : `These are more than ${MAX_BULK_JOBS} jobs. Choose fewer.`}
        </p>
      )}
    </div>
  );
}

interface BulkDialogProps extends Omit<BulkAct, 'reason'> {
  onClose: () => void;
}

function BulkDialog({ action, count, filter, onClose }: BulkDialogProps) {
  const act = useActOnJobs();
  const verb = action === 'cancel' ? 'Cancel' : 'Retry';
  const onSuccess = ({ changed, refused }: { changed: number; refused: number }) => {
    toast.success(`${formatCount(changed, 'job')} changed${refused > 0 ? `, ${refused} refused` : ''}`);
    onClose();
  };
  return (
    <ReasonDialog
      title={`${verb} ${formatCount(count, 'job')}?`}
      confirmLabel={`${verb} the jobs`}
      variant={action === 'cancel' ? 'danger' : 'primary'}
      mutation={act}
      onConfirm={(reason) => act.mutate({ action, count, filter, reason }, { onSuccess })}
      onClose={onClose}
    >
      {action === 'cancel'
        ? 'Waiting and running jobs end, and their credits are given back.'
        : 'Failed and cancelled jobs run again as new jobs, which are charged to their users.'}
    </ReasonDialog>
  );
}

const JobRow = ({ job }: { job: AdminJob }) => (
  <li className="relative border-b border-line py-3 hover:bg-tint">
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
      <p className="min-w-0 wrap-anywhere">
        <Link to={paths.adminJob(job.id)} className="font-semibold after:absolute after:inset-0">
          {job.tool}
        </Link>{' '}
        <span className="text-sm text-quiet">{job.email ?? job.userId}</span>
      </p>
      <p className="text-sm">
        <Status>{job.status}</Status>
        <span className="text-quiet">
          {' '}
          · waited {formatSeconds(job.waitedSeconds)}
          {job.ranSeconds !== null && `, ran ${formatSeconds(job.ranSeconds)}`} · {formatExact(job.createdAt)}
        </span>
      </p>
    </div>
    {job.error && (
      <p className="mt-1 text-sm wrap-anywhere">
        <span className="font-mono">{job.error.code}</span> {job.error.message}
      </p>
    )}
    <p className="mt-1 font-mono text-xs text-quiet">{job.id}</p>
  </li>
);
