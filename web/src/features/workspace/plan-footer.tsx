import { useState } from 'react';
import toast from 'react-hot-toast';
import { LogOut } from 'lucide-react';
import { useAccount } from '../../shared/api/read-account';
import { CreditGauge } from './credit-gauge';
import { Spinner } from '../../shared/ui/spinner';
import { useLeave } from '../../shared/session/use-leave';

/** The plan, the credits left on the free one, and the way out. */
export function PlanFooter() {
  const signOut = useLeave();
  const account = useAccount();
  const [leaving, setLeaving] = useState(false);

  const leave = async () => {
    setLeaving(true);
    try {
      await signOut();
    } catch {
      toast.error('Signing out did not reach the server. Try again in a moment.');
      setLeaving(false);
    }
  };

  return (
    <footer className="border-t border-line p-4">
      <div className="flex items-center justify-between gap-3">
        <p className="font-semibold">
          {account.data === undefined ? (
            <span className="text-quiet">Plan</span>
          ) : account.data.plan === 'premium' ? (
            <span className="text-premium">Premium Plan</span>
          ) : (
            'Free Plan'
          )}
        </p>
        <button
          type="button"
          onClick={() => void leave()}
          disabled={leaving}
          aria-label="Sign out"
          title="Sign out"
          className="grid size-10 place-items-center rounded-control text-quiet hover:bg-tint hover:text-ink"
        >
          {leaving ? <Spinner /> : <LogOut aria-hidden="true" className="size-[1.125rem]" />}
        </button>
      </div>
      {account.data !== undefined && <CreditGauge credits={account.data.credits} />}
      {account.data === undefined && account.failureReason !== null && (
        <p className="mt-1 text-sm text-quiet">Your plan cannot be read just now; it is tried again.</p>
      )}
    </footer>
  );
}
