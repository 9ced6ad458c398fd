import { useEffect, useState } from 'react';
import { ApiFailure } from '../../api/http';
import { useAccount } from '../../api/read-account';
import { formatWait } from '../format';
import { Notice } from '../notice';
import { PlanSwitch } from '../premium-needed';

const titles: Partial<Record<ApiFailure['code'], string>> = {
  INSUFFICIENT_CREDITS: 'This month’s credits are used up',
  PREMIUM_REQUIRED: 'This is part of the premium plan',
  RATE_LIMITED: 'That was a little fast',
  QUEUE_FULL: 'The press is full just now',
  UNAVAILABLE: 'Pressroom is catching its breath',
  UNAUTHENTICATED: 'Your session has ended',
};

/** What the premium plan solves. */
const ofFreePlan: readonly ApiFailure['code'][] = ['INSUFFICIENT_CREDITS', 'PREMIUM_REQUIRED'];

/** Why a submission was not taken, and what to do next. What was typed stays in the form. */
export function SubmissionProblem({ error }: { error: Error }) {
  const failure = error instanceof ApiFailure ? error : null;
  const { data: account } = useAccount();
  const seconds = useCountdown(failure);
  const wait = seconds > 0 ? ` You can try again in ${formatWait(seconds)}.` : '';
  const isOfPlan = failure !== null && ofFreePlan.includes(failure.code);
  if (isOfPlan && account?.plan === 'premium')
    return <Notice tone="note">Premium is on now, and what you entered is still here: send it again.</Notice>;
  return (
    <Notice
      action={isOfPlan ? <PlanSwitch /> : undefined}
      tone={failure?.code === 'INSUFFICIENT_CREDITS' ? 'warning' : 'danger'}
      title={failure ? titles[failure.code] : undefined}
    >
      {failure?.message ?? 'Something went wrong on our side. What you typed is kept; try again.'}
      <span aria-hidden="true">{wait}</span>
    </Notice>
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
  return counted !== null && counted.failure === failure ? counted.seconds : 0;
}
