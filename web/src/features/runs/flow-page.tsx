import { useRef } from 'react';
import { useParams } from 'react-router-dom';
import type { Flow } from '#libs/contract/flows.js';
import { useRunQuery } from '../../modules/runs/lists/run-calls';
import { flowKind } from '../../modules/runs/lists/run-kinds';
import { summarizeFlow } from '../../modules/runs/lists/run-summary';
import { useFlow } from '../../modules/runs/state/runs-context';
import { useAccount } from '../../shared/account/account-calls';
import { formatCount } from '../../shared/lib/format';
import { Notice } from '../../shared/ui/notice';
import { FlowStepPanel } from './flow-step-panel';
import { RunHeader } from './run-header';
import { RunPage } from './run-page';

export default function FlowPage() {
  const id = useParams()['id'] ?? '';
  const query = useRunQuery(flowKind, id);
  const flow = useFlow(id);
  return (
    <RunPage noun="run" query={query} queryKey={flowKind.keys.one(id)}>
      {flow && <FlowDetails key={id} flow={flow} />}
    </RunPage>
  );
}

function FlowDetails({ flow }: { flow: Flow }) {
  const list = useRef<HTMLOListElement>(null);
  const { status, steps, credits } = flow;
  const isFree = useAccount().data?.plan === 'free';
  const run = summarizeFlow(flow);
  return (
    <>
      <RunHeader run={run} list={list}>
        <p role="status">{run.progress}</p>
        {isFree && credits > 0 && (
          <p className="text-sm text-quiet">
            {`${formatCount(credits, 'credit')} for all steps. Steps that do not run are refunded.`}
          </p>
        )}
        {flow.awaitsTitleFrom !== null && (
          <Notice tone="note" title="The run waits for your title">
            Choose one of the titles below, or write your own. Then the article is written.
          </Notice>
        )}
        {status === 'stopped' && (
          <Notice tone="warning" title="The run waits for you">
            A step did not finish, and the steps that need it are waiting. Try it again to continue the run,
            or cancel the rest, which costs nothing.
          </Notice>
        )}
      </RunHeader>
      <ol ref={list} tabIndex={-1} aria-label="Steps" className="grid gap-6 outline-none">
        {steps.map((step) => (
          <FlowStepPanel key={step.n} flow={flow} step={step} />
        ))}
      </ol>
    </>
  );
}
