import type { ReactNode } from 'react';
import { tools, type ToolName } from '#libs/tools/catalogue.js';
import { useAccount } from '../api/read-account';
import { useConfig } from '../api/read-config';
import { Button } from '../ui/button';
import { formatDay } from '../lib/format';
import { Notice } from '../ui/notice';
import { PlanSwitch } from './premium-needed';
import { SubmissionProblem } from './submission-problem';
import type { FormSubmission } from './use-submission';

interface SubmitSectionProps {
  submission: FormSubmission<ToolName>;
  /** What the form itself still lacks. */
  disabled: boolean;
  /** The button's label. */
  children: ReactNode;
}

/** How a tool's form ends: why the last submission was not taken, the button, and what is left to spend. */
export function SubmitSection({ submission, disabled, children }: SubmitSectionProps) {
  const { problem, again, sending, wait, tool } = submission;
  return (
    <>
      {problem === null ? (
        <OutOfCredits tool={tool} />
      ) : (
        <SubmissionProblem error={problem} onAgain={again} />
      )}
      <div className="grid gap-2 sm:justify-items-start lg:justify-items-stretch">
        <Button
          type="submit"
          variant="primary"
          busy={sending}
          disabled={disabled}
          waiting={wait > 0}
          className="w-full sm:w-auto lg:w-full"
        >
          {children}
        </Button>
        <CreditsLeft tool={tool} />
      </div>
    </>
  );
}

/** Says before anything is sent that the month's credits do not reach, and what then. */
export function OutOfCredits({ tool }: { tool: ToolName }) {
  const account = useAccount().data;
  const grant = useConfig().data?.plans.free.monthlyCredits;
  const { plan, credits: cost } = tools[tool];
  const left = account?.credits.remaining ?? null;
  // A premium tool says already what it needs.
  if (account === undefined || left === null || left >= cost || plan === 'premium') return null;
  const { renewsAt } = account.credits;
  return (
    <Notice tone="warning" title="This month’s credits are used up" action={<PlanSwitch />}>
      {grant !== undefined && renewsAt !== null && `${grant} new ones come on ${formatDay(renewsAt)}. `}
      The premium plan has no limit. What you enter here is kept.
    </Notice>
  );
}

function CreditsLeft({ tool }: { tool: ToolName }) {
  const left = useAccount().data?.credits.remaining ?? null;
  const { plan, credits: cost } = tools[tool];
  if (left === null || plan === 'premium') return null;
  return (
    <p className="text-sm text-quiet">
      Costs {cost} {cost === 1 ? 'credit' : 'credits'}, you have {left}
    </p>
  );
}
