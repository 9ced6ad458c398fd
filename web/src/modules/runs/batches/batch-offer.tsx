import { useEffect, useMemo, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { MAX_BATCH_ITEMS, type BatchTool, type NewBatch } from '#libs/contract/batches.js';
import { useAccount } from '../../../shared/account/account-calls';
import { useCredits } from '../../../shared/account/read-config';
import { checkFile, formatBytes } from '../../../shared/lib/check-file';
import { formatCount } from '../../../shared/lib/format';
import { paths } from '../../../shared/paths';
import { SubmissionProblem } from '../jobs/submission-problem';
import { summaryOf } from '../../../shared/tools/summary-of';
import { Button } from '../../../shared/ui/button';
import { Notice } from '../../../shared/ui/notice';
import { useCreateBatch } from './batch-calls';

interface BatchOfferProps {
  tool: BatchTool;
  files: readonly File[];
  /** Reads the fields of the tool's form. @returns null if a value is invalid; the form then shows the error */
  readInput: () => Promise<NewBatch['input'] | null>;
  /** True if the form is incomplete or the user's plan doesn't allow batches. */
  disabled: boolean;
  onClose: () => void;
}

/** Shows the price of several chosen pictures and the button that starts them as a batch. */
export function BatchOffer({ tool, files, readInput, disabled, onClose }: BatchOfferProps) {
  const navigate = useNavigate();
  const create = useCreateBatch();
  const account = useAccount().data;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [files]);
  const { usable, problems, tooMany } = useMemo(() => sort(files), [files]);
  const bytes = usable.reduce((sum, { size }) => sum + size, 0);

  const credits = useCredits(tool);
  // Undefined while it loads.
  const cost = account && (account.plan === 'free' ? credits && credits * usable.length : 0);
  const remaining = account?.credits.remaining ?? null;
  const isPremiumMissing = account?.plan === 'free' && summaryOf(tool).plan === 'premium';
  const lacksCredits =
    !isPremiumMissing && cost !== undefined && cost > 0 && remaining !== null && remaining < cost;
  const start = async () => {
    const input = await readInput();
    if (input === null) return;
    create.mutate({ tool, input, files: usable }, { onSuccess: ({ id }) => void navigate(paths.batch(id)) });
  };
  return (
    <section
      aria-labelledby="batch-offer"
      className="grid gap-4 rounded-control border border-line bg-sunken p-4"
    >
      <div>
        <h2 ref={heading} id="batch-offer" tabIndex={-1} className="text-xl outline-none">
          {formatCount(usable.length, 'picture')} chosen
        </h2>
        <p className="mt-1 text-sm text-quiet">
          {formatBytes(bytes)} in total. Each picture is processed on its own, and you can download all
          results as one ZIP.
        </p>
        <p className="mt-1 text-sm">
          {isPremiumMissing
            ? 'Batches of this tool are part of the premium plan.'
            : cost === 0
              ? 'Included in your plan: no credits.'
              : cost !== undefined &&
                `Costs ${formatCount(cost, 'credit')}, you have ${remaining ?? 0}. Pictures that are left out or fail are not charged.`}
        </p>
      </div>
      {tooMany > 0 && (
        <Notice tone="warning">
          A batch takes up to {MAX_BATCH_ITEMS} pictures: the last{' '}
          {tooMany === 1 ? 'one is' : `${tooMany} are`} left out.
        </Notice>
      )}
      {problems.length > 0 && (
        <Notice tone="warning" title={`${formatCount(problems.length, 'picture')} cannot be used`}>
          {problems.slice(0, 5).join(' ')}
          {problems.length > 5 && ` And ${problems.length - 5} more.`}
        </Notice>
      )}
      {lacksCredits && (
        <Notice tone="warning">
          Your credits do not cover these: choose {remaining === 0 ? 'them next month' : `up to ${remaining}`}
          , or upgrade to premium, which has no limit.
        </Notice>
      )}
      {create.error !== null && <SubmissionProblem error={create.error} onRetry={() => void start()} />}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          busy={create.isPending}
          disabled={disabled || usable.length === 0 || cost === undefined || lacksCredits || isPremiumMissing}
          onClick={() => void start()}
        >
          {`Start a batch of ${usable.length}${cost ? ` (${formatCount(cost, 'credit')})` : ''}`}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Choose again
        </Button>
      </div>
    </section>
  );
}

function sort(files: readonly File[]): { usable: File[]; problems: string[]; tooMany: number } {
  const checked = files.map((file) => ({ file, problem: checkFile('image', file) }));
  const usable = checked.filter(({ problem }) => problem === null).map(({ file }) => file);
  return {
    usable: usable.slice(0, MAX_BATCH_ITEMS),
    problems: checked.flatMap(({ problem }) => (problem === null ? [] : [problem])),
    tooMany: Math.max(0, usable.length - MAX_BATCH_ITEMS),
  };
}
