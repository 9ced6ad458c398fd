import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router-dom';
import { useAccount } from '../../../shared/account/account-calls';
import { queryKeys } from '../../../shared/http/query-keys';
import { Button } from '../../../shared/ui/button';
import { Dialog } from '../../../shared/ui/dialog';
import { Loading } from '../../../shared/ui/spinner';

/** The account's live event brings the plan; this is for a page without a connection. */
const REREAD_MS = 3_000;
const LONG_MS = 30_000;

/** Shown after a payment, until the plan has changed. */
export default function CheckoutReturnDialog() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const isPremium = useAccount().data?.plan === 'premium';
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (isPremium) return;
    const reread = setInterval(
      () => void queries.invalidateQueries({ queryKey: queryKeys.account }),
      REREAD_MS,
    );
    const wait = setTimeout(() => setLong(true), LONG_MS);
    return () => {
      clearInterval(reread);
      clearTimeout(wait);
    };
  }, [isPremium, queries]);
  const close = () => void navigate(pathname, { replace: true });
  return (
    <Dialog label="Your Premium Plan" onClose={close}>
      <h2 className="text-2xl">{isPremium ? 'Welcome to Premium' : 'Thank you'}</h2>
      {isPremium ? (
        <p role="status" className="mt-4 text-quiet">
          You are on the Premium Plan. Payment method, invoices and cancellation are in your account, under
          “Manage billing”.
        </p>
      ) : (
        <div className="mt-4">
          <Loading label="Stripe is confirming your payment" />
          {isLong && (
            <p className="mt-4 text-quiet">
              This takes longer than usual. You can close this window: your plan changes as soon as the
              payment is confirmed.
            </p>
          )}
        </div>
      )}
      <Button variant="primary" className="mt-8 w-full" onClick={close}>
        {isPremium ? 'Continue' : 'Close'}
      </Button>
    </Dialog>
  );
}
