import { lazy, Suspense } from 'react';
import type { Plan } from '#libs/contract/account.js';
import { useConfig } from '../../../shared/api/read-config';
import { Button } from '../../../shared/ui/button';
import { PlanSheets } from '../../../shared/ui/plan-sheets';
import { useAccounts } from '../../../shared/session/accounts';

// What asks for the account comes only for who has one.
const OwnPlan = lazy(() => import('./own-plan'));

const invitations: Record<Plan, string> = { free: 'Create a free account', premium: 'Start with Premium' };

/** The two plans of local accounts, each with its next step: an account, or the switch to it. */
export default function PlanCards({ onSignUp }: { onSignUp: () => void }) {
  const { user } = useAccounts();
  const config = useConfig().data;
  // It is this configuration that names the local accounts.
  if (config === undefined) return null;
  return (
    <PlanSheets
      monthlyCredits={config.plans.free.monthlyCredits}
      tools={config.tools}
      step={(plan) =>
        user === null ? (
          <Button onClick={onSignUp}>{invitations[plan]}</Button>
        ) : (
          <Suspense fallback={null}>
            <OwnPlan key={user.id} plan={plan} />
          </Suspense>
        )
      }
    />
  );
}
