import type { ReactNode } from 'react';
import type { Job } from '#libs/contract/jobs.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { useAccount } from '../../../shared/account/account-calls';
import { useConfig, useCredits } from '../../../shared/account/read-config';
import { Button } from '../../../shared/ui/button';
import { summaryOf } from '../../../shared/tools/summary-of';
import { formatCount, formatDay } from '../../../shared/lib/format';
import { Notice } from '../../../shared/ui/notice';
import { StatusIcon, statusText } from '../../runs/jobs/job-status';
import { UpgradeAction } from '../../runs/jobs/premium-notice';
import { SubmissionProblem } from '../../runs/jobs/submission-problem';
import { RESULT_ID } from '../results/result-pane';
import type { FormSubmission } from './use-submission';

interface SubmitSectionProps {
  submission: FormSubmission<ToolName>;
  /** Number of jobs that the form starts, for the price. */
  count?: number;
  /** True if the form is incomplete. */
  disabled: boolean;
  children: ReactNode;
}

export function SubmitSection({ submission, count = 1, disabled, children }: SubmitSectionProps) {
  const { problem, retry, sending, wait, tool, repeat, running } = submission;
  return (
    <>
      {problem === null ? (
        <OutOfCredits tool={tool} />
      ) : (
        <SubmissionProblem error={problem} onRetry={retry} />
      )}
      {repeat !== null && <RunningAlready tool={tool} onRepeat={repeat} />}
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
        <CreditsLeft tool={tool} count={count} />
        {running !== null && repeat === null && <RunningNow job={running} />}
      </div>
    </>
  );
}

/** Says under the button that the form's last job is running, with a link to it on phones, where it is below. */
const RunningNow = ({ job }: { job: Job }) => (
  <p className="flex min-h-6 items-center gap-2 text-sm text-quiet">
    <StatusIcon job={job} />
    <span className="min-w-0 truncate">{statusText(job)}</span>
    <a href={`#${RESULT_ID}`} className="shrink-0 text-ink underline touch:py-3 lg:hidden">
      Show it
    </a>
  </p>
);

function RunningAlready({ tool, onRepeat }: { tool: ToolName; onRepeat: () => void }) {
  const cost = useCredits(tool);
  const isFree = useAccount().data?.plan === 'free';
  return (
    <Notice
      tone="note"
      title="This is already running"
      action={
        <Button size="small" onClick={onRepeat}>
          Run it again
        </Button>
      }
    >
      Its result appears here when it is ready.
      {isFree && cost ? ` To run the same again costs ${formatCount(cost, 'more credit')}.` : null}
    </Notice>
  );
}

function OutOfCredits({ tool }: { tool: ToolName }) {
  const account = useAccount().data;
  const monthlyCredits = useConfig().data?.plans.free.monthlyCredits;
  const { plan } = summaryOf(tool);
  const cost = useCredits(tool) ?? 0;
  const remaining = account?.credits.remaining ?? null;
  // Nothing to show: there are enough credits, or the tool needs the premium plan and shows PremiumNotice.
  if (account === undefined || remaining === null || remaining >= cost || plan === 'premium') return null;
  const { renewsAt } = account.credits;
  return (
    <Notice tone="warning" title="This month’s credits are used up" action={<UpgradeAction />}>
      {monthlyCredits !== undefined &&
        renewsAt !== null &&
        `${monthlyCredits} new ones come on ${formatDay(renewsAt)}. `}
      The premium plan has no limit. Your input stays here.
    </Notice>
  );
}

function CreditsLeft({ tool, count }: { tool: ToolName; count: number }) {
  const account = useAccount().data;
  const remaining = account?.credits.remaining ?? null;
  const credits = useCredits(tool);
  if (account?.plan === 'premium')
    return count > 1 && <p className="text-sm text-quiet">{count} runs, unlimited on Premium</p>;
  if (remaining === null || credits === undefined || summaryOf(tool).plan === 'premium') return null;
  const cost = credits * count;
  return (
    <p className="text-sm text-quiet">
      Costs {formatCount(cost, 'credit')}, you have {remaining}
    </p>
  );
}
