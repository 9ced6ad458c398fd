import type { Subscription } from '#libs/contract/account.js';
import { useAccount, useSubscription } from '../../../../shared/account/account-calls';
import { formatDate } from '../../../../shared/lib/format';
import { Notice } from '../../../../shared/ui/notice';
import { PaymentButton } from '../ui/payment-button';
import { trialText } from '../ui/trial-text';

/** The state of the subscription, and the way to Stripe's pages. */
export function SubscriptionDetails({ trialDays }: { trialDays: number }) {
  const plan = useAccount().data?.plan;
  const { data: subscription, isError } = useSubscription();
  if (isError) return <p className="text-sm text-quiet">Your subscription could not be loaded.</p>;
  if (subscription === undefined || plan === undefined) return null;
  if (subscription === null && plan === 'premium') return null;
  if (subscription === null)
    return (
      <div className="grid gap-3">
        <PaymentButton opens="checkout" small>
          Upgrade to Premium
        </PaymentButton>
        <p className="text-sm text-quiet">
          {trialText(trialDays)}You pay on a page of Stripe, and can cancel at any time.
        </p>
      </div>
    );
  const problem = problemOf(subscription);
  return (
    <div className="grid gap-3">
      {problem === null ? (
        <p className="text-sm text-quiet">{stateOf(subscription)}</p>
      ) : (
        <Notice tone="warning" title={problem.title}>
          {problem.text}
        </Notice>
      )}
      <PaymentButton opens="portal" small>
        Manage billing
      </PaymentButton>
    </div>
  );
}

function stateOf({ status, trialEndsAt, periodEndsAt, cancelsAt }: Subscription): string {
  if (cancelsAt !== null)
    return `Cancelled. You keep Premium until ${formatDate(cancelsAt)}; then your plan is Free. Nothing more is charged.`;
  if (status === 'trialing' && trialEndsAt !== null)
    return `Your trial lasts until ${formatDate(trialEndsAt)}. The first payment is then due.`;
  return `The next payment is due on ${formatDate(periodEndsAt)}.`;
}

function problemOf({ status, graceUntil }: Subscription): { title: string; text: string } | null {
  if (graceUntil !== null)
    return {
      title: 'Your last payment failed',
      text: `You keep Premium until ${formatDate(graceUntil)}. Check your payment method under “Manage billing”.`,
    };
  if (status === 'past_due' || status === 'unpaid')
    return {
      title: 'Your last payment failed',
      text: 'Your plan is Free until it is paid. Check your payment method under “Manage billing”.',
    };
  if (status === 'paused')
    return {
      title: 'Your subscription is paused',
      text: 'Your plan is Free until you add a payment method under “Manage billing”.',
    };
  return null;
}
