import { lazy, Suspense } from 'react';
import type { Plan } from '#libs/contract/account.js';
import { useConfig } from '../../../shared/account/read-config';
import { Button } from '../../../shared/ui/button';
import { PlanCards } from '../../../shared/ui/plan-cards';
import { useAccounts } from '../../../shared/account/accounts';

// Lazy, because visitors who are not signed in don't need it.
const PlanAction = lazy(() => import('./plan-action'));

const signUpLabels: Record<Plan, string> = { free: 'Create a free account', premium: 'Start with Premium' };

export default function LocalPricingTable({ onSignUp }: { onSignUp: () => void }) {
  const { user } = useAccounts();
  const config = useConfig().data;
  if (config === undefined) return null;
  return (
    <PlanCards
      price={config.plans.premium.price}
      monthlyCredits={config.plans.free.monthlyCredits}
      tools={config.tools}
      action={(plan) =>
        user === null ? (
          <Button onClick={onSignUp}>{signUpLabels[plan]}</Button>
        ) : (
          <Suspense fallback={null}>
            <PlanAction key={user.id} plan={plan} />
          </Suspense>
        )
      }
    />
  );
}
