import toast from 'react-hot-toast';
import type { Plan } from '#libs/contract/account.js';
import { StorageMeter } from '../../../../shared/account/storage-meter';
import { useAccount, useSetPlan } from '../../../../shared/account/account-calls';
import { useConfig } from '../../../../shared/account/read-config';
import { SubscriptionDetails } from './subscription-details';
import { RadioChips } from '../../../../shared/ui/radio-chips';

const planNames: Record<Plan, string> = { free: 'Free Plan', premium: 'Premium Plan' };

export function PlanSection() {
  const account = useAccount();
  const config = useConfig();
  const setPlan = useSetPlan();
  const plan = setPlan.isPending ? setPlan.variables : account.data?.plan;
  return (
    <section aria-label="Plan and storage" className="border-t border-line pt-5">
      <dl className="flex justify-between gap-4 text-sm">
        <dt className="font-semibold">Plan</dt>
        <dd>{plan === undefined ? 'Loading' : planNames[plan]}</dd>
      </dl>
      {account.data !== undefined && (
        <div className="mt-4">
          <StorageMeter account={account.data} />
        </div>
      )}
      {config.data?.accounts.payment && (
        <div className="mt-4">
          <SubscriptionDetails trialDays={config.data.accounts.payment.trialDays} />
        </div>
      )}
      {config.data?.accounts.planSwitch && plan !== undefined && (
        <div className="mt-4 rounded-control bg-sunken p-4">
          <RadioChips
            legend="Switch plan"
            name="plan"
            value={plan}
            options={[
              { value: 'free', label: 'Free' },
              { value: 'premium', label: 'Premium' },
            ]}
            onChange={(next) =>
              setPlan.mutate(next, {
                onSuccess: () => toast.success(`Switched to ${planNames[next]}.`),
                onError: (error) => toast.error(error.message),
              })
            }
          />
          <p className="mt-3 text-sm text-quiet">For trials only. Nothing is charged.</p>
        </div>
      )}
    </section>
  );
}
