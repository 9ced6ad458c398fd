import { useState } from 'react';
import toast from 'react-hot-toast';
import { LogOut } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Credits } from '#libs/contract/account.js';
import { useAccount } from '../../shared/account/account-calls';
import { formatDay } from '../../shared/lib/format';
import { paths } from '../../shared/paths';
import { Spinner } from '../../shared/ui/spinner';
import { useSignOut } from '../../shared/account/use-sign-out';

export function PlanFooter({ onNavigate }: { onNavigate?: () => void }) {
  const signOut = useSignOut();
  const account = useAccount();
  const [signingOut, setSigningOut] = useState(false);

  const handleSignOut = async () => {
    setSigningOut(true);
    try {
      await signOut();
    } catch {
      toast.error('Sign-out failed. Try again in a moment.');
      setSigningOut(false);
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
          onClick={() => void handleSignOut()}
          disabled={signingOut}
          aria-label="Sign out"
          title="Sign out"
          className="grid size-10 place-items-center rounded-control text-quiet hover:bg-tint hover:text-ink"
        >
          {signingOut ? <Spinner /> : <LogOut aria-hidden="true" className="size-[1.125rem]" />}
        </button>
      </div>
      {account.data !== undefined && <CreditGauge credits={account.data.credits} />}
      {account.data !== undefined && (
        <Link
          to={paths.usage}
          onClick={onNavigate}
          className="mt-2 inline-flex min-h-9 items-center text-sm underline hover:text-accent"
        >
          Usage and receipts
        </Link>
      )}
      {account.data === undefined && account.failureReason !== null && (
        <p className="mt-1 text-sm text-quiet">Your plan could not be loaded. Retrying.</p>
      )}
    </footer>
  );
}

/** Maximum number of marks in the gauge. If the user has more credits, each mark represents several credits. */
const MOST_MARKS = 60;

/** Shows the month's credits and how many are left. Renders nothing if credits are unlimited. */
function CreditGauge({ credits: { allowance, remaining, renewsAt } }: { credits: Credits }) {
  if (allowance === null || remaining === null) return null;
  const marks = Math.min(allowance, MOST_MARKS);
  return (
    <div
      className="mt-1"
      title={renewsAt === null ? undefined : `${allowance} new credits on ${formatDay(renewsAt)}`}
    >
      <div aria-hidden="true" className="flex h-2 justify-between">
        {Array.from({ length: marks }, (_, index) => (
          <i
            key={index}
            className={`w-0.5 ${index < (remaining / allowance) * marks ? 'bg-accent' : 'bg-[var(--tick)] opacity-60'}`}
          />
        ))}
      </div>
      <p className="mt-2 text-sm text-quiet">
        <span className="font-mono text-[0.8125rem] text-ink">{remaining}</span> of{' '}
        <span className="font-mono text-[0.8125rem]">{allowance}</span> credits left
      </p>
    </div>
  );
}
