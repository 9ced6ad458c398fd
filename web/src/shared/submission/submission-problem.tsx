import { useEffect, useState } from 'react';
import { ApiFailure } from '../http/http';
import { useAccount } from '../api/read-account';
import { Button } from '../ui/button';
import { formatWait } from '../lib/format';
import { Notice } from '../ui/notice';
import { PlanSwitch } from './premium-needed';

const titles: Partial<Record<ApiFailure['code'], string>> = {
  INSUFFICIENT_CREDITS: 'This month’s credits are used up',
  PREMIUM_REQUIRED: 'This is part of the premium plan',
  RATE_LIMITED: 'That was a little fast',
  QUEUE_FULL: 'The press is full just now',
  UNAVAILABLE: 'Pressroom is catching its breath',
  UNREACHABLE: 'No answer from Pressroom',
  INTERNAL: 'Something broke on our side',
  ENGINE_CANNOT: 'This engine cannot do that',
  UNAUTHENTICATED: 'Your session has ended',
};

/** What the premium plan solves. */
const ofFreePlan: readonly ApiFailure['code'][] = ['INSUFFICIENT_CREDITS', 'PREMIUM_REQUIRED'];
/** What the same call, made later, may get past. */
const ofTheMoment: readonly ApiFailure['code'][] = [
  'RATE_LIMITED',
  'QUEUE_FULL',
  'UNAVAILABLE',
  'UNREACHABLE',
  'INTERNAL',
];

interface SubmissionProblemProps {
  error: Error;
  /** Makes the refused call once more. */
  onAgain: () => void;
}

/** Why a call for work was not taken, and what to do next. What was typed stays in the form. */
export function SubmissionProblem({ error, onAgain }: SubmissionProblemProps) {
  const failure = error instanceof ApiFailure ? error : null;
  const { data: account } = useAccount();
  const seconds = useCountdown(failure);
  const isOfPlan = failure !== null && ofFreePlan.includes(failure.code);
  if (isOfPlan && account?.plan === 'premium')
    return (
      <Notice
        tone="note"
        action={
          <Button size="small" onClick={onAgain}>
            Try again
          </Button>
        }
      >
        Premium is on now, and what you entered is still here: send it again.
      </Notice>
    );
  const passes = failure === null || ofTheMoment.includes(failure.code);
  const hasWaited = failure !== null && failure.retryAfterSeconds !== null && seconds === 0;
  return (
    <>
      <Notice
        action={
          isOfPlan ? (
            <PlanSwitch />
          ) : (
            passes && (
              <Button size="small" onClick={onAgain} waiting={seconds > 0}>
                Try again
                {/* The notice is read out when it comes; its seconds are for the eye. */}
                {seconds > 0 && <span aria-hidden="true">in {formatWait(seconds)}</span>}
              </Button>
            )
          )
        }
        tone={failure?.code === 'INSUFFICIENT_CREDITS' ? 'warning' : 'danger'}
        title={failure ? titles[failure.code] : undefined}
      >
        {failure?.message ?? 'Something went wrong on our side. What you typed is kept; try again.'}
      </Notice>
      <p role="status" className="sr-only">
        {hasWaited && 'You can try again now.'}
      </p>
    </>
  );
}

/** Seconds until the refused call may be made again, counted down; 0 when it may be at once. */
export function useCountdown(failure: ApiFailure | null): number {
  const [counted, setCounted] = useState<{ failure: ApiFailure; seconds: number } | null>(null);
  useEffect(() => {
    if (failure?.retryAfterSeconds == null) return;
    const end = performance.now() + failure.retryAfterSeconds * 1_000;
    const count = () =>
      setCounted({ failure, seconds: Math.max(0, Math.ceil((end - performance.now()) / 1_000)) });
    count();
    const timer = setInterval(count, 1_000);
    return () => clearInterval(timer);
  }, [failure]);
  return counted !== null && counted.failure === failure
    ? counted.seconds
    : (failure?.retryAfterSeconds ?? 0);
}
