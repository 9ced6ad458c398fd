import { useState } from 'react';
import toast from 'react-hot-toast';
import { Link, useNavigate, useParams } from 'react-router-dom';
import type { JobContents, JobStory } from '#libs/contract/admin.js';
import { formatBytes } from '../../shared/lib/check-file';
import { formatExact, formatSeconds } from '../../shared/lib/format';
import { saveFile } from '../../shared/lib/save-file';
import { paths } from '../../shared/paths';
import { Button } from '../../shared/ui/button';
import { Notice } from '../../shared/ui/notice';
import { PageHeading } from '../../shared/ui/page-heading';
import { TextAreaField } from '../../shared/ui/text-area-field';
import { useCancelJob, useJobStory, useRetryJob, useRevealJob, useRevealJobFile } from './admin-api';
import { AuditList } from './audit-list';
import { Facts, secondsBetween, Section, Status } from './facts';
import { QueryPanel } from './query-panel';
import { ReasonDialog } from './reason-dialog';

export default function AdminJobPage() {
  const { id = '' } = useParams();
  return (
    <QueryPanel query={useJobStory(id)} what="the job">
      {(job) => <Story key={job.id} job={job} />}
    </QueryPanel>
  );
}

function Story({ job }: { job: JobStory }) {
  const [asked, setAsked] = useState<'cancel' | 'retry' | 'change' | null>(null);
  const isOver = job.status !== 'queued' && job.status !== 'running';
  const close = () => setAsked(null);
  const retryable = job.status === 'failed' || job.status === 'cancelled';
  return (
    <>
      <PageHeading
        badge={
          <span className="text-lg">
            <Status>{job.status}</Status>
          </span>
        }
        actions={
          <div className="flex flex-wrap gap-3">
            {!isOver && (
              <Button variant="danger" onClick={() => setAsked('cancel')}>
                Cancel
              </Button>
            )}
            {retryable && (
              <>
                <Button disabled={!job.hasInput} onClick={() => setAsked('retry')}>
                  Retry
                </Button>
                <Button disabled={!job.hasInput} onClick={() => setAsked('change')}>
                  Retry with changes
                </Button>
                {!job.hasInput && (
                  <p className="basis-full text-sm text-quiet">
                    Its input was deleted, so it cannot be retried here.
                  </p>
                )}
              </>
            )}
          </div>
        }
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
        <Contents id={job.id} />
      </Section>
      <Section title="Audit log">
        <AuditList entries={job.audit} />
      </Section>
      {asked === 'cancel' && <CancelDialog id={job.id} onClose={close} />}
      {asked === 'retry' && <RetryDialog id={job.id} onClose={close} />}
      {asked === 'change' && <ChangeDialog id={job.id} onClose={close} />}
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

/** What an operator saw, and why. */
interface Revealed {
  contents: JobContents;
  reason: string;
}

function Contents({ id }: { id: string }) {
  const [isAsked, setAsked] = useState(false);
  const [revealed, setRevealed] = useState<Revealed | null>(null);
  if (revealed) {
    const { title, input, result, partial, error, progress, files } = revealed.contents;
    return (
      <div className="grid gap-4">
        <p className="wrap-anywhere">{title}</p>
        {Object.entries({ input, result, partial: partial || null, error, progress }).map(
          ([name, value]) =>
            value !== null && (
              <div key={name}>
                <h3 className="text-sm text-quiet">{name}</h3>
                <pre className="mt-1 max-h-96 overflow-auto rounded-control bg-sunken p-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
                  {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
                </pre>
              </div>
            ),
        )}
        {files.length > 0 && <Files id={id} files={files} reason={revealed.reason} />}
      </div>
    );
  }
  return (
    <>
      <p className="mb-4 text-quiet">
        Title, input, files and result are private to the user, and so are words that messages quote.
      </p>
      <Button onClick={() => setAsked(true)}>Reveal</Button>
      {isAsked && <RevealDialog id={id} onRevealed={setRevealed} onClose={() => setAsked(false)} />}
    </>
  );
}

function Files({ id, files, reason }: { id: string; files: JobContents['files']; reason: string }) {
  const reveal = useRevealJobFile();
  return (
    <div>
      <h3 className="text-sm text-quiet">files</h3>
      <ul className="mt-1 border-t border-line">
        {files.map(({ field, name, type, bytes }) => (
          <li
            key={field}
            className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-3"
          >
            <p className="min-w-0 wrap-anywhere">
              <bdi>{name}</bdi>{' '}
              <span className="text-sm text-quiet">
                {field}, {type}, {formatBytes(bytes)}
              </span>
            </p>
            <Button
              size="small"
              busy={reveal.isPending}
              aria-label={`Download ${name}`}
              onClick={() =>
                reveal.mutate(
                  { id, field, reason },
                  {
                    onSuccess: (file) => saveFile(file, name),
                    onError: ({ message }) => toast.error(message),
                  },
                )
              }
            >
              Download
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ActProps {
  id: string;
  onClose: () => void;
}

function RevealDialog({ id, onRevealed, onClose }: ActProps & { onRevealed: (revealed: Revealed) => void }) {
  const reveal = useRevealJob();
  return (
    <ReasonDialog
      title="Reveal the contents?"
      confirmLabel="Reveal"
      busy={reveal.isPending}
      error={reveal.error}
      onConfirm={(reason) =>
        reveal.mutate({ id, reason }, { onSuccess: (contents) => onRevealed({ contents, reason }) })
      }
      onClose={onClose}
    >
      What the user wrote and got is shown to you, and the audit log says so.
    </ReasonDialog>
  );
}

function CancelDialog({ id, onClose }: ActProps) {
  const cancel = useCancelJob();
  return (
    <ReasonDialog
      title="Cancel the job?"
      confirmLabel="Cancel the job"
      variant="danger"
      busy={cancel.isPending}
      error={cancel.error}
      onConfirm={(reason) => cancel.mutate({ id, reason }, { onSuccess: onClose })}
      onClose={onClose}
    >
      Its credits are given back.
    </ReasonDialog>
  );
}

function RetryDialog({ id, onClose }: ActProps) {
  const retry = useRetryJob();
  const navigate = useNavigate();
  return (
    <ReasonDialog
      title="Retry the job?"
      confirmLabel="Retry"
      busy={retry.isPending}
      error={retry.error}
      onConfirm={(reason) =>
        retry.mutate({ id, reason }, { onSuccess: ({ job }) => void navigate(paths.adminJob(job.id)) })
      }
      onClose={onClose}
    >
      It runs again as a new job, which is charged to its user.
    </ReasonDialog>
  );
}

/** Shows the input, which is an act of its own, and retries with what the operator changes in it. */
function ChangeDialog({ id, onClose }: ActProps) {
  const reveal = useRevealJob();
  const retry = useRetryJob();
  const navigate = useNavigate();
  const [text, setText] = useState<string | null>(null);
  const [wrong, setWrong] = useState<string | undefined>();
  if (text === null)
    return (
      <ReasonDialog
        key="show"
        title="Show the input?"
        confirmLabel="Show"
        busy={reveal.isPending}
        error={reveal.error}
        onConfirm={(reason) =>
          reveal.mutate({ id, reason }, { onSuccess: ({ input }) => setText(JSON.stringify(input, null, 2)) })
        }
        onClose={onClose}
      >
        The input is private to the user. That you saw it stands in the audit log.
      </ReasonDialog>
    );
  const submit = (reason: string) => {
    try {
      const input = JSON.parse(text) as Record<string, unknown>;
      setWrong(undefined);
      retry.mutate({ id, reason, input }, { onSuccess: ({ job }) => void navigate(paths.adminJob(job.id)) });
    } catch {
      setWrong('This is not valid JSON.');
    }
  };
  return (
    <ReasonDialog
      key="retry"
      title="Retry with another input?"
      confirmLabel="Retry"
      busy={retry.isPending}
      error={retry.error}
      fields={
        <TextAreaField
          label="Input as JSON"
          multiline
          spellCheck={false}
          value={text}
          error={wrong}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      }
      onConfirm={submit}
      onClose={onClose}
    >
      It runs as a new job, which is charged to its user.
    </ReasonDialog>
  );
}
