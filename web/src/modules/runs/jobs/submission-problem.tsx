import { ApiFailure } from '../../../shared/http/http';
import { useAccount } from '../../../shared/account/account-calls';
import { Button } from '../../../shared/ui/button';
import { formatWait } from '../../../shared/lib/format';
import { useCountdown } from '../../../shared/lib/use-countdown';
import { useOnline } from '../../../shared/lib/use-online';
import { Notice } from '../../../shared/ui/notice';
import { UpgradeAction } from './premium-notice';

const titles: Partial<Record<ApiFailure['code'], string>> = {
  INSUFFICIENT_CREDITS: 'This month’s credits are used up',
  PREMIUM_REQUIRED: 'This is part of the premium plan',
  RATE_LIMITED: 'Too many requests',
  QUEUE_FULL: 'The queue is full',
  STORAGE_FULL: 'Your storage is full',
  DISK_FULL: 'No space for files right now',
  UNAVAILABLE: 'Pressroom is busy',
  UNREACHABLE: 'Pressroom did not respond',
  INTERNAL: 'Something went wrong on our side',
  BUDGET_EXHAUSTED: 'The AI service is used up for this month',
  ENGINE_CANNOT: 'This engine cannot do that',
  UNAUTHENTICATED: 'Your session has ended',
};

/** Errors that don't occur on the premium plan, so offer an upgrade. */
const planErrors: readonly ApiFailure['code'][] = ['INSUFFICIENT_CREDITS', 'PREMIUM_REQUIRED'];
/** Errors that pass with time or when the user frees storage, so offer a retry. */
const temporaryErrors: readonly ApiFailure['code'][] = [
  'STORAGE_FULL',
  'RATE_LIMITED',
  'QUEUE_FULL',
  'DISK_FULL',
  'UNAVAILABLE',
  'UNREACHABLE',
  'INTERNAL',
];

interface SubmissionProblemProps {
  error: Error;
  onRetry: () => void;
  /** Text appended to errors that can be retried. */
  note?: string;
}

/** Notice that shows why a request was rejected, with a button for what to do next. */
export function SubmissionProblem({ error, onRetry, note }: SubmissionProblemProps) {
  const failure = error instanceof ApiFailure ? error : null;
  const { data: account } = useAccount();
  const seconds = useCountdown(failure);
  const isOnline = useOnline();
  const wasOffline = failure !== null && failure.isOffline;
  const isPlanError = failure !== null && planErrors.includes(failure.code);
  if (isPlanError && account?.plan === 'premium')
    return (
      <Notice tone="note" onRetry={onRetry}>
        You are on Premium now. Send it again.
      </Notice>
    );
  if (wasOffline && isOnline)
    return (
      <Notice tone="note" onRetry={onRetry}>
        You are back online. Send it again.
      </Notice>
    );
  const isTemporary = failure === null || temporaryErrors.includes(failure.code);
  const hasWaited = failure !== null && failure.retryAfterSeconds !== null && seconds === 0;
  return (
    <>
      <Notice
        action={
          isPlanError ? (
            <UpgradeAction />
          ) : (
            isTemporary && (
              <Button size="small" onClick={onRetry} waiting={seconds > 0}>
                Try again
                {/* Hidden from screen readers, which would announce the notice again each second. */}
                {seconds > 0 && <span aria-hidden="true">in {formatWait(seconds)}</span>}
              </Button>
            )
          )
        }
        tone={failure?.code === 'INSUFFICIENT_CREDITS' ? 'warning' : 'danger'}
        title={failure && !wasOffline ? titles[failure.code] : undefined}
      >
        {failure?.message ?? 'Something went wrong on our side. Your input is still here; try again.'}
        {isTemporary && note !== undefined && ` ${note}`}
      </Notice>
      <p role="status" className="sr-only">
        {hasWaited && 'You can try again now.'}
      </p>
    </>
  );
}
