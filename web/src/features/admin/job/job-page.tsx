import { Link, useParams } from 'react-router-dom';
import type { JobStory } from '#libs/contract/admin.js';
import { formatExact, formatSeconds } from '../../../shared/lib/format';
import { paths } from '../../../shared/paths';
import { Notice } from '../../../shared/ui/notice';
import { PageHeading } from '../../../shared/ui/page-heading';
import { useJobStory } from '../admin-api';
import { AuditList } from '../audit-list';
import { Facts, secondsBetween, Section, Status } from '../facts';
import { QueryPanel } from '../query-panel';
import { JobActions } from './job-actions';
import { JobContents } from './job-contents';

export default function AdminJobPage() {
  const { id = '' } = useParams();
  return (
    <QueryPanel query={useJobStory(id)} what="the job">
      {(job) => <Story key={job.id} job={job} />}
    </QueryPanel>
  );
}

function Story({ job }: { job: JobStory }) {
  return (
    <>
      <PageHeading
        badge={
          <span className="text-lg">
            <Status>{job.status}</Status>
          </span>
        }
        actions={<JobActions job={job} />}
      >
        {job.tool}
      </PageHeading>
      {job.error && (
        <div className="mb-8">
          <Notice tone="warning" title={job.error.code}>
            {job.error.message}
          </Notice>
        </div>
      )}
      <Section title="Job">
        <Facts facts={factsOf(job)} />
      </Section>
      <Section title="Attempts">
        <Attempts job={job} />
      </Section>
      {job.calls.length > 0 && (
        <Section title="Calls of the AI service">
          <Calls job={job} />
        </Section>
      )}
      <Section title="Credits">
        <Ledger job={job} />
      </Section>
      <Section title="Contents">
        <JobContents id={job.id} />
      </Section>
      <Section title="Audit log">
        <AuditList entries={job.audit} />
      </Section>
    </>
  );
}

const jobLink = (id: string) => (
  <Link key={id} className="underline hover:text-accent font-mono text-sm" to={paths.adminJob(id)}>
    {id}
  </Link>
);

const factsOf = (job: JobStory) => ({
  Id: <span className="font-mono text-sm">{job.id}</span>,
  User: (
    <Link className="underline hover:text-accent" to={paths.adminUser(job.userId)}>
      {job.email ?? job.userId}
    </Link>
  ),
  Queue: `${job.queue}, ${job.priority}`,
  Created: formatExact(job.createdAt),
  Waited: formatSeconds(job.waitedSeconds),
  Ran: job.ranSeconds === null ? null : formatSeconds(job.ranSeconds),
  Ended: job.finishedAt && formatExact(job.finishedAt),
  Progress: `${Math.round(job.progress.percent)} %, ${job.progress.message}`,
  Engine: job.engine === 'offline' ? 'this server' : job.engine && 'the AI service',
  'Failed and lost attempts': `${job.failures} and ${job.lostAttempts}`,
  'Retry of': job.retryOf && jobLink(job.retryOf),
  'Retried by': job.retriedBy.length > 0 ? job.retriedBy.map(jobLink) : null,
  Batch: job.batchId,
  Run: job.flowId,
  'Request id': job.requestId && <span className="font-mono text-sm">{job.requestId}</span>,
  Trace:
    job.traceId &&
    (job.traceUrl ? (
      <a className="underline hover:text-accent font-mono text-sm" href={job.traceUrl} rel="noreferrer">
        {job.traceId}
      </a>
    ) : (
      <span className="font-mono text-sm">{job.traceId}</span>
    )),
});

function Attempts({ job: { attemptLog, createdAt } }: { job: JobStory }) {
  if (attemptLog.length === 0) return <p className="text-quiet">It has not started.</p>;
  return (
    <ol className="border-t border-line">
      {attemptLog.map(({ attempt, worker, startedAt, endedAt, outcome, message }, n) => {
        const before = n === 0 ? createdAt : attemptLog[n - 1]!.endedAt;
        return (
          <li key={attempt} className="border-b border-line py-3">
            <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
              <p className="min-w-0 wrap-anywhere">
                {attempt}. <Status>{outcome ?? 'running'}</Status>
                {worker && <span className="text-sm text-quiet"> by {worker}</span>}
              </p>
              <p className="text-sm text-quiet">
                {startedAt && formatExact(startedAt)}
                {before &&
                  startedAt &&
                  `, after ${formatSeconds(Math.max(secondsBetween(before, startedAt), 0))}`}
                {startedAt && endedAt && `, for ${formatSeconds(secondsBetween(startedAt, endedAt))}`}
              </p>
            </div>
            {message && <p className="mt-1 text-sm wrap-anywhere">{message}</p>}
          </li>
        );
      })}
    </ol>
  );
}

function Calls({ job: { calls } }: { job: JobStory }) {
  return (
    <ol className="border-t border-line">
      {calls.map(
        ({ attempt, provider, model, kind, status, at, seconds, inputTokens, outputTokens, ...call }, n) => (
          <li
            key={n}
            className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-line py-3"
          >
            <p className="min-w-0 wrap-anywhere">
              {attempt}. <Status>{status.replace('_', ' ')}</Status> {kind} by {model}
              {provider === 'fallback' && ' (fallback)'}
              {call.errorCode && <span className="font-mono text-sm"> {call.errorCode}</span>}
            </p>
            <p className="text-sm text-quiet">
              {formatExact(at)}
              {seconds !== null && `, ${formatSeconds(seconds)}`}
              {inputTokens + outputTokens > 0 && `, ${inputTokens} + ${outputTokens} tokens`}
              {call.cost !== null && `, ${call.cost.toFixed(4)} ${call.currency}`}
            </p>
          </li>
        ),
      )}
    </ol>
  );
}

function Ledger({ job: { ledger } }: { job: JobStory }) {
  if (ledger.length === 0) return <p className="text-quiet">Nothing was charged.</p>;
  return (
    <ul className="border-t border-line">
      {ledger.map(({ kind, amount, month, at, apiKeyId, note }) => (
        <li key={`${kind}${at}`} className="flex flex-wrap justify-between gap-x-6 border-b border-line py-3">
          <span>
            {kind} of {Math.abs(amount)}
            {apiKeyId && <span className="text-sm text-quiet"> by the key {apiKeyId}</span>}
            {note && <span className="text-sm text-quiet">: {note}</span>}
          </span>
          <span className="text-sm text-quiet">
            {formatExact(at)}, month {month.slice(0, 7)}
          </span>
        </li>
      ))}
    </ul>
  );
}
