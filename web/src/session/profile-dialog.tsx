import toast from 'react-hot-toast';
import type { Plan } from '#libs/contract/account.js';
import { useAccount } from '../api/read-account';
import { useConfig } from '../api/read-config';
import { useSetPlan } from '../api/set-plan';
import { Avatar } from '../components/avatar';
import { Dialog } from '../components/dialog';
import { RadioChips } from '../components/radio-chips';
import { useAccounts } from './accounts';

const planNames: Record<Plan, string> = { free: 'Free Plan', premium: 'Premium Plan' };

/** Name, email and plan; where the server allows it, the plan can be switched for trial. */
export default function ProfileDialog({ onClose }: { onClose: () => void }) {
  const { user } = useAccounts();
  const account = useAccount();
  const config = useConfig();
  const setPlan = useSetPlan();
  if (user === null) return null;
  const plan = setPlan.isPending ? setPlan.variables : account.data?.plan;

  return (
    <Dialog label="Your account" onClose={onClose}>
      <h2 className="text-2xl">Your account</h2>
      <div className="mt-6 flex items-center gap-4">
        <Avatar name={user.fullName} imageUrl={user.imageUrl} className="size-14 text-lg" />
        <div className="min-w-0">
          <p className="truncate text-lg font-semibold">{user.fullName}</p>
          {user.email !== null && <p className="truncate text-sm text-quiet">{user.email}</p>}
        </div>
      </div>
      <dl className="mt-6 border-t border-line pt-5 text-sm">
        <div className="flex justify-between gap-4">
          <dt className="text-quiet">Plan</dt>
          <dd className="font-semibold">{plan === undefined ? 'Loading' : planNames[plan]}</dd>
        </div>
      </dl>
      {config.data?.accounts.planSwitch && plan !== undefined && (
        <div className="mt-5 rounded-control bg-sunken p-4">
          <RadioChips
            legend="Try the other plan"
            name="plan"
            value={plan}
            options={[
              { value: 'free', label: 'Free' },
              { value: 'premium', label: 'Premium' },
            ]}
            onChange={(next) =>
              setPlan.mutate(next, {
                onSuccess: () => toast.success(`${planNames[next]} it is.`),
                onError: (error) => toast.error(error.message),
              })
            }
          />
          <p className="mt-3 text-sm text-quiet">For trial on this machine; nothing is paid.</p>
        </div>
      )}
    </Dialog>
  );
}
