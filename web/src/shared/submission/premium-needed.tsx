import toast from 'react-hot-toast';
import { Link } from 'react-router-dom';
import { useAccount } from '../api/read-account';
import { useConfig } from '../api/read-config';
import { useSetPlan } from '../api/set-plan';
import { paths } from '../paths';
import { Button, buttonClass } from '../ui/button';
import { Notice } from '../ui/notice';

/** Whether the user's plan, once known, leaves the premium tools out. */
export const usePremiumNeeded = (): boolean => useAccount().data?.plan === 'free';

/** Says that a tool is part of the premium plan, and how to get there; nothing to somebody who is there. */
export function PremiumNeeded() {
  const needed = usePremiumNeeded();
  if (!needed) return null;
  return (
    <Notice tone="note" title="This is part of the premium plan" action={<PlanSwitch />}>
      You can prepare everything now; it is kept here until the plan is yours.
    </Notice>
  );
}

/** The next step towards the premium plan: where it is sold, or a switch for trial where the server allows it. */
export function PlanSwitch() {
  const accounts = useConfig().data?.accounts;
  const setPlan = useSetPlan();
  if (accounts === undefined) return null;
  if (accounts.provider === 'clerk')
    return (
      <Link to={`${paths.landing}#Plan`} className={buttonClass('plain', 'small')}>
        See the plans
      </Link>
    );
  if (!accounts.planSwitch)
    return (
      <p className="text-sm text-quiet">Whoever runs this Pressroom can switch your account to Premium.</p>
    );
  return (
    <Button
      size="small"
      busy={setPlan.isPending}
      onClick={() =>
        setPlan.mutate('premium', {
          onSuccess: () => toast.success('Premium Plan it is.'),
          onError: (error) => toast.error(error.message),
        })
      }
    >
      Try Premium here
    </Button>
  );
}
