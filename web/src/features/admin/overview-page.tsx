import { useState } from 'react';
import clsx from 'clsx';
import { Link } from 'react-router-dom';
import type { QueueName } from '#libs/contract/jobs.js';
import type { MaintenanceTask, Program, QueueState } from '#libs/contract/admin.js';
import { formatExact, formatSeconds } from '../../shared/lib/format';
import { paths } from '../../shared/paths';
import { Button } from '../../shared/ui/button';
import { PageHeading } from '../../shared/ui/page-heading';
import { useChangeQueue, useOverview } from './admin-api';
import { Facts, Section } from './facts';
import { QueryPanel } from './query-panel';
import { QueueBoardButton } from './queue-board-button';
import { ReasonDialog } from './reason-dialog';

export default function AdminOverviewPage() {
  return (
    <>
      <PageHeading lead="Queues, programs and maintenance, as they are now." actions={<QueueBoardButton />}>
        Administration
      </PageHeading>
      <QueryPanel query={useOverview({ live: true })} what="the state of the server">
        {(data) => (
          <>
            <Section title="Queues">
              <ul className="grid gap-4 xl:grid-cols-3">
                {data.queues.map((queue) => (
                  <QueueCard key={queue.queue} state={queue} />
                ))}
              </ul>
            </Section>
            <Section title="Programs">
              <ul className="border-t border-line">
                {data.programs.map((program) => (
                  <ProgramRow key={program.id} program={program} />
                ))}
              </ul>
            </Section>
            <Section title="Maintenance">
              <ul className="border-t border-line">
                {data.tasks.map((task) => (
                  <TaskRow key={task.name} task={task} />
                ))}
              </ul>
            </Section>
          </>
        )}
      </QueryPanel>
    </>
  );
}

const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

function QueueCard({ state }: { state: QueueState }) {
  const { queue, plans, slots, reservedSlots, failedLastHour } = state;
  const { premium, standard } = plans;
  const waits = Object.entries(plans).flatMap(([plan, { oldestJobId: id, oldestWaitSeconds: wait }]) =>
    id === null ? [] : [{ plan, id, wait }],
  );
  waits.sort((one, other) => (other.wait ?? 0) - (one.wait ?? 0));
  const rate = premium.endedPerMinute + standard.endedPerMinute;
  const [asked, setAsked] = useState<QueueAction | null>(null);
  const action = state.paused ? 'resume' : 'pause';
  return (
    <li className="panel p-5">
      <div className="mb-4 flex items-center justify-between gap-3">
        <h3 className={clsx('text-xl', queue === 'pdf' ? 'uppercase' : 'capitalize')}>{queue}</h3>
        <Button
          size="small"
          variant={state.paused ? 'primary' : 'plain'}
          aria-label={`${queueActions[action].label} the queue ${queue}`}
          onClick={() => setAsked(action)}
        >
          {queueActions[action].label}
        </Button>
      </div>
      {state.paused && <p className="mb-4 text-warning">Paused{state.reason ? `: ${state.reason}` : ''}</p>}
      <Facts
        narrow
        facts={{
          Waiting: `${premium.waiting + standard.waiting} (${premium.waiting} premium)`,
          'Longest wait':
            waits.length === 0
              ? 'nobody waits'
              : waits.map(({ plan, id, wait }) => (
                  <p key={plan}>
                    <Link className="underline hover:text-accent" to={paths.adminJob(id)}>
                      {formatSeconds(wait)}
                    </Link>{' '}
                    ({plan})
                  </p>
                )),
          Running: `${premium.running + standard.running} of ${slots} ${slots === 1 ? 'slot' : 'slots'} (${premium.running} premium)`,
          'Kept for standard jobs':
            reservedSlots === 0
              ? 'no slot now'
              : `${reservedSlots} of ${slots}: premium jobs take at most ${slots - reservedSlots}`,
          Rate: `${rate.toFixed(1)} a minute (${premium.endedPerMinute.toFixed(1)} premium)`,
          'Failed in the last hour': (
            <Link
              className="underline hover:text-accent"
              to={`${paths.adminJobs}?status=failed&queue=${queue}&endedFrom=${hourAgo()}`}
            >
              {failedLastHour}
            </Link>
          ),
        }}
      />
      {asked && <QueueDialog queue={queue} action={asked} onClose={() => setAsked(null)} />}
    </li>
  );
}

const queueActions = {
  pause: { label: 'Pause', what: 'Running jobs continue, new jobs wait.' },
  resume: { label: 'Resume', what: 'Waiting jobs start.' },
};
type QueueAction = keyof typeof queueActions;

interface QueueDialogProps {
  queue: QueueName;
  action: QueueAction;
  onClose: () => void;
}

function QueueDialog({ queue, action, onClose }: QueueDialogProps) {
  const change = useChangeQueue(action);
  const { label, what } = queueActions[action];
  return (
    <ReasonDialog
      title={`${label} the queue ${queue}?`}
      confirmLabel={label}
      mutation={change}
      onConfirm={(reason) => change.mutate({ queue, reason }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {what}
    </ReasonDialog>
  );
}

const ProgramRow = ({
  program: { id, kind, version, startedAt, seenAt, isRunning, errors },
}: {
  program: Program;
}) => (
  <li className="border-b border-line py-3">
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
      <p className="min-w-0 wrap-anywhere">
        <span className="font-semibold">{kind}</span> <span className="font-mono text-sm">{id}</span>
      </p>
      <p className={clsx('text-sm', isRunning ? 'text-quiet' : 'text-danger')}>
        {isRunning ? `runs since ${formatExact(startedAt)}` : `not seen since ${formatExact(seenAt)}`} ·{' '}
        {version}
      </p>
    </div>
    {errors.length > 0 && (
      <details className="mt-1">
        <summary className="cursor-pointer text-sm text-quiet touch:py-3">
          {errors.length === 1 ? '1 warning or error' : `${errors.length} warnings and errors`}, the last{' '}
          {formatExact(errors[0]!.at)}
        </summary>
        <ul className="mt-2 grid gap-1 text-sm">
          {errors.map(({ at, message }, n) => (
            <li key={n} className="wrap-anywhere">
              <span className="text-quiet">{formatExact(at)}</span> {message}
            </li>
          ))}
        </ul>
      </details>
    )}
  </li>
);

const TaskRow = ({ task: { name, program, ranAt, milliseconds, error } }: { task: MaintenanceTask }) => (
  <li className="border-b border-line py-3">
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
      <p className="font-semibold first-letter:uppercase">{name}</p>
      <p className="text-sm wrap-anywhere text-quiet">
        Last success {formatExact(ranAt)}; last run {milliseconds} ms, by {program}
      </p>
    </div>
    {error && <p className="mt-1 text-sm wrap-anywhere text-danger">{error}</p>}
  </li>
);
