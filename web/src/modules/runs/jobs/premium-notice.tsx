import toast from 'react-hot-toast';
import { Link } from 'react-router-dom';
import { useAccount, useSetPlan } from '../../../shared/account/account-calls';
import { useConfig } from '../../../shared/account/read-config';
import { paths } from '../../../shared/paths';
import { Button, buttonClass } from '../../../shared/ui/button';
import { Notice } from '../../../shared/ui/notice';

/** True if the user has the free plan; false while the plan is loading. */
export const useNeedsPremium = (): boolean => useAccount().data?.plan === 'free';

export function PremiumNotice() {
  const needed = useNeedsPremium();
  if (!needed) return null;
  return (
    <Notice tone="note" title="This is part of the premium plan" action={<UpgradeAction />}>
      You can fill in the form now. Your input stays here until you upgrade.
    </Notice>
  );
}

interface PremiumHintProps {
  id: string;
  /** What the plan adds, as the start of a sentence. */
  what: string;
}

/** Says why a control is disabled. On wide screens, a PremiumNotice beside it has the way out. */
export function PremiumHint({ id, what }: PremiumHintProps) {
  const needed = useNeedsPremium();
  if (!needed) return null;
  return (
    <div className="grid justify-items-start gap-2">
      <p id={id} className="text-xs text-quiet">
        {what} is part of the premium plan.
      </p>
      <div className="xl:hidden">
        <UpgradeAction />
      </div>
    </div>
  );
}

/** A link to the plans or, if the server allows it, a button that switches to the premium plan for trial. */
export function UpgradeAction() {
  const accounts = useConfig().data?.accounts;
  const setPlan = useSetPlan();
  if (accounts === undefined) return null;
  if (accounts.provider === 'clerk' || accounts.payment !== null)
    return (
      <Link to={`${paths.landing}#Plan`} className={buttonClass('plain', 'small')}>
        See the plans
      </Link>
    );
  if (!accounts.planSwitch)
    return (
      <p className="text-sm text-quiet">
        Ask the operator of this Pressroom to switch your account to Premium.
      </p>
    );
  return (
    <Button
      size="small"
      busy={setPlan.isPending}
      onClick={() =>
        setPlan.mutate('premium', {
          onSuccess: () => toast.success('You are on the Premium Plan.'),
          onError: (error) => toast.error(error.message),
        })
      }
    >
      Try Premium here
    </Button>
  );
}
