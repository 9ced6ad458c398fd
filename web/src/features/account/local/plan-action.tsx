import { Check } from 'lucide-react';
import type { Plan } from '#libs/contract/account.js';
import { useAccount, useSetPlan } from '../../../shared/account/account-calls';
import { useConfig } from '../../../shared/account/read-config';
import { PaymentButton } from './ui/payment-button';
import { trialText } from './ui/trial-text';
import { Button } from '../../../shared/ui/button';

const names: Record<Plan, string> = { free: 'Free', premium: 'Premium' };

export default function PlanAction({ plan }: { plan: Plan }) {
  const account = useAccount();
  const config = useConfig();
  const setPlan = useSetPlan();
  const current = account.data?.plan;
  if (current === undefined)
    return (
      <p className="min-h-11 text-sm text-quiet">
        {account.failureReason === null ? 'Loading your plan' : 'Your plan could not be loaded.'}
      </p>
    );
  if (current === plan)
    return (
      <p
        role="status"
        className="flex min-h-11 items-center justify-center gap-2 rounded-control bg-tint font-semibold"
      >
        <Check aria-hidden="true" className="size-4 text-success" />
        Your plan
      </p>
    );
  const payment = config.data?.accounts.payment;
  if (payment)
    return plan === 'premium' ? (
      <div className="grid gap-3 pt-4">
        <p className="text-sm text-quiet">{trialText(payment.trialDays)}You can cancel at any time.</p>
        <PaymentButton opens="checkout">Upgrade to Premium</PaymentButton>
      </div>
    ) : (
      <p className="min-h-11 text-sm text-quiet">To go back to Free, cancel Premium in your account.</p>
    );
  if (!config.data?.accounts.planSwitch)
    return (
      <p className="min-h-11 text-sm text-quiet">
        Ask the operator of this Pressroom to switch your account to {names[plan]}.
      </p>
    );
  return (
    <div>
      <p role={setPlan.isError ? 'alert' : undefined} className="mb-3 pt-4 text-sm text-quiet">
        {setPlan.error?.message ?? 'For trials only. Nothing is charged.'}
      </p>
      <Button className="w-full" busy={setPlan.isPending} onClick={() => setPlan.mutate(plan)}>
        Switch to {names[plan]}
      </Button>
    </div>
  );
}
