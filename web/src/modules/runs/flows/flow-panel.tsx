import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import {
  MIN_FLOW_STEPS,
  flowDefinitions,
  type FlowName,
  type FlowStepDefinition,
  type FlowTool,
} from '#libs/contract/flows.js';
import { useAccount } from '../../../shared/account/account-calls';
import { useCredits } from '../../../shared/account/read-config';
import { formatCount } from '../../../shared/lib/format';
import { paths } from '../../../shared/paths';
import { SubmissionProblem } from '../jobs/submission-problem';
import { summaryOf } from '../../../shared/tools/summary-of';
import { Button } from '../../../shared/ui/button';
import { Checkbox } from '../../../shared/ui/checkbox';
import { PremiumBadge } from '../../../shared/ui/premium-badge';
import { useCreateFlow } from './flow-calls';
import { RecentFlows } from '../lists/recent-runs';

const leads: Record<FlowName, string> = {
  article: 'Each step uses the result of the step before.',
  application: 'All steps use the same resume and job.',
};

export interface FlowPanelProps {
  id: string;
  flow: FlowName;
  /** True if the form above is incomplete. */
  disabled: boolean;
  /** Reads the fields and files of the form. @returns null if a value is invalid; the form then shows the error */
  readInput: () => Promise<{ input: object; files?: Readonly<Record<string, Blob>> } | null>;
  /** Reasons, for the user, why steps are unavailable, by tool. */
  blocked?: Partial<Record<FlowTool, string>>;
}

/** Lets the user choose the steps of a flow, shows their price, and starts it. */
export function FlowPanel({ id, flow, disabled, readInput, blocked = {} }: FlowPanelProps) {
  const navigate = useNavigate();
  const create = useCreateFlow();
  const account = useAccount().data;
  const [chooseTitle, setChooseTitle] = useState(false);
  const [leftOut, setLeftOut] = useState<readonly FlowTool[]>([]);
  const definitions: readonly (FlowStepDefinition & { tool: FlowTool })[] = flowDefinitions[flow];
  const isFree = account?.plan === 'free';
  const lacksPlan = (tool: FlowTool) => isFree && summaryOf(tool).plan === 'premium';
  const chosen = definitions
    .map(({ tool }) => tool)
    .filter((tool) => blocked[tool] === undefined && !lacksPlan(tool) && !leftOut.includes(tool));
  const credits = useCredits(...chosen);
  // Undefined while it loads.
  const cost = account && (isFree ? credits : 0);
  const remaining = account?.credits.remaining ?? 0;
  const lacksCredits = cost !== undefined && cost > remaining;
  const price = formatCount(cost ?? 0, 'credit');
  const waitsForTitle = chosen.includes('generate-blog-title');
  const start = async () => {
    const given = await readInput();
    if (given === null) return;
    create.mutate(
      { flow, steps: chosen, ...given, input: { ...given.input, ...(waitsForTitle && { chooseTitle }) } },
      { onSuccess: (created) => void navigate(paths.flow(created.id)) },
    );
  };
  return (
    <>
      <div id={id} className="grid w-full gap-4 rounded-control border border-line bg-sunken p-4">
        <fieldset className="min-w-0">
          <legend className="mb-2 text-sm text-quiet">{leads[flow]}</legend>
          <ol className="grid gap-1">
            {definitions.map(({ tool, required }) => (
              <li key={tool}>
                <Checkbox
                  checked={chosen.includes(tool)}
                  disabled={required === true || blocked[tool] !== undefined || lacksPlan(tool)}
                  onChange={({ target }) =>
                    setLeftOut(target.checked ? leftOut.filter((one) => one !== tool) : [...leftOut, tool])
                  }
                >
                  {summaryOf(tool).label}
                  {lacksPlan(tool) && (
                    <>
                      {' '}
                      <PremiumBadge />
                    </>
                  )}
                  {blocked[tool] !== undefined && (
                    <span className="block text-sm text-quiet">{blocked[tool]}</span>
                  )}
                </Checkbox>
              </li>
            ))}
          </ol>
        </fieldset>
        {waitsForTitle && (
          <Checkbox checked={chooseTitle} onChange={({ target }) => setChooseTitle(target.checked)}>
            Let me choose the title
            <span className="block text-sm text-quiet">
              {chooseTitle
                ? 'The run waits for you when the titles are there.'
                : 'The article is written for the first title.'}
            </span>
          </Checkbox>
        )}
        <p className="text-sm">
          {chosen.length < MIN_FLOW_STEPS
            ? 'Choose at least two steps.'
            : cost === 0
              ? 'Included in your plan: no credits.'
              : cost !== undefined &&
                `Costs ${price}, you have ${remaining}. Steps that do not run are refunded.`}
          {lacksCredits && ' You do not have enough credits: choose fewer steps, or upgrade to premium.'}
        </p>
        {create.error !== null && <SubmissionProblem error={create.error} onRetry={() => void start()} />}
        <Button
          variant="primary"
          busy={create.isPending}
          disabled={disabled || chosen.length < MIN_FLOW_STEPS || lacksCredits || cost === undefined}
          onClick={() => void start()}
        >
          {`Start ${chosen.length} steps${cost ? ` (${price})` : ''}`}
        </Button>
      </div>
      <RecentFlows flow={flow} title="Recent runs" />
    </>
  );
}
