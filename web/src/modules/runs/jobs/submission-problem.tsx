import { ApiFailure } from '../../../shared/http/http';
import { useAccount } from '../../../shared/account/read-account';
import { Button } from '../../../shared/ui/button';
import { formatWait } from '../../../shared/lib/format';
import { useCountdown } from '../../../shared/lib/use-countdown';
import { Notice } from '../../../shared/ui/notice';
import { UpgradeAction } from './premium-notice';

const titles: Partial<Record<ApiFailure['code'], string>> = {
  INSUFFICIENT_CREDITS: 'This month’s credits are used up',
  PREMIUM_REQUIRED: 'This is part of the premium plan',
  RATE_LIMITED: 'That was a little fast',
  QUEUE_FULL: 'The press is full just now',
  STORAGE_FULL: 'Your storage is full',
  DISK_FULL: 'No room for files just now',
  UNAVAILABLE: 'Pressroom is catching its breath',
  UNREACHABLE: 'No answer from Pressroom',
  INTERNAL: 'Something broke on our side',
  ENGINE_CANNOT: 'This engine cannot do that',
  UNAUTHENTICATED: 'Your session has ended',
};

/** Solved by the premium plan. */
const planErrors: readonly ApiFailure['code'][] = ['INSUFFICIENT_CREDITS', 'PREMIUM_REQUIRED'];
/** The same call can succeed later, or once the user has made room. */
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
  /** Said of what can succeed later. */
  note?: string;
}

/** Why a job was not accepted, and what to do next. */
export function SubmissionProblem({ error, onRetry, note }: SubmissionProblemProps) {
  const failure = error instanceof ApiFailure ? error : null;
  const { data: account } = useAccount();
  const seconds = useCountdown(failure);
  const isPlanError = failure !== null && planErrors.includes(failure.code);
  if (isPlanError && account?.plan === 'premium')
    return (
      <Notice
        tone="note"
        action={
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        Premium is on now, and what you entered is still here: send it again.
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
                {/* Screen readers announce the notice only once. */}
                {seconds > 0 && <span aria-hidden="true">in {formatWait(seconds)}</span>}
              </Button>
            )
          )
        }
        tone={failure?.code === 'INSUFFICIENT_CREDITS' ? 'warning' : 'danger'}
        title={failure ? titles[failure.code] : undefined}
      >
        {failure?.message ?? 'Something went wrong on our side. What you typed is kept; try again.'}
        {isTemporary && note !== undefined && ` ${note}`}
      </Notice>
      <p role="status" className="sr-only">
        {hasWaited && 'You can try again now.'}
      </p>
    </>
  );
}
