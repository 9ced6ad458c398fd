import { useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import type { Flow } from '#libs/contract/flows.js';
import { useAccount } from '../../shared/account/read-account';
import { ApiFailure, isTooFast } from '../../shared/http/http';
import { queryKeys } from '../../shared/http/query-keys';
import { useCancelFlow, useFlow } from '../../modules/runs/flows/flow-calls';
import { percentOf, progressText } from '../../modules/runs/flows/flow-text';
import { Button } from '../../shared/ui/button';
import { CancelQuestion } from '../../shared/ui/cancel-question';
import { NotFoundPanel } from '../../shared/ui/not-found-panel';
import { Notice } from '../../shared/ui/notice';
import { PageHeading } from '../../shared/ui/page-heading';
import { ProgressBar } from '../../shared/ui/progress-bar';
import { Loading } from '../../shared/ui/spinner';
import { FlowStepPanel } from './flow-step-panel';

export default function FlowPage() {
  const id = useParams()['id'] ?? '';
  const { data: flow, failureReason: error, isError } = useFlow(id);
  const queries = useQueryClient();
  if (error instanceof ApiFailure && error.code === 'NOT_FOUND') return <NotFoundPanel />;
  if (flow !== undefined) return <FlowDetails key={id} flow={flow} />;
  if (error !== null && !isTooFast(error))
    return (
      <Notice
        tone="danger"
        title="This run could not be loaded"
        action={
          <Button size="small" onClick={() => void queries.resetQueries({ queryKey: queryKeys.flow(id) })}>
            Try again
          </Button>
        }
      >
        {error.message}
        {!isError && ' Retrying automatically.'}
      </Notice>
    );
  return <Loading label="Loading the run" />;
}

function FlowDetails({ flow }: { flow: Flow }) {
  const [asked, setAsked] = useState(false);
  const actions = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const { title, status, steps, credits } = flow;
  const isFree = useAccount().data?.plan === 'free';
  const canCancel = status === 'open' || status === 'stopped';
  return (
    <>
      <PageHeading
        actions={
          canCancel && (
            <div ref={actions}>
              <Button aria-expanded={asked} onClick={() => setAsked(!asked)}>
                Cancel what is left
              </Button>
            </div>
          )
        }
      >
        {title}
      </PageHeading>
      <div className="mb-8 grid gap-3">
        {canCancel && asked && (
          <CancelFlowQuestion
            flow={flow}
            onClose={() => {
              setAsked(false);
              (actions.current?.querySelector('button') ?? list.current)?.focus({ preventScroll: true });
            }}
          />
        )}
        {status === 'open' && (
          <ProgressBar label="Progress of the run" percent={percentOf(flow)} kind="measured" />
        )}
        <p role="status">{progressText(flow)}</p>
        {isFree && credits > 0 && (
          <p className="text-sm text-quiet">
            {`${credits} ${credits === 1 ? 'credit' : 'credits'} for all steps. What does not run is given back.`}
          </p>
        )}
        {status === 'stopped' && (
          <Notice tone="warning" title="The run waits for you">
            A step did not finish, and those that need it wait. Try it again, and the run goes on from there;
            or cancel what is left, which costs nothing.
          </Notice>
        )}
      </div>
      <ol ref={list} tabIndex={-1} aria-label="Steps" className="grid gap-6 outline-none">
        {steps.map((step) => (
          <FlowStepPanel key={step.n} flow={flow} step={step} />
        ))}
      </ol>
    </>
  );
}

function CancelFlowQuestion({ flow, onClose }: { flow: Flow; onClose: () => void }) {
  const cancel = useCancelFlow();
  return (
    <CancelQuestion
      title="Cancel the steps that are left?"
      confirm="Cancel them"
      busy={cancel.isPending}
      onConfirm={() => cancel.mutateAsync(flow.id)}
      onClose={onClose}
    >
      They cost nothing, and what is done stays. A cancelled run cannot go on later.
    </CancelQuestion>
  );
}
