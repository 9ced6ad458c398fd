import { useEffect, type ReactNode } from 'react';
import { Button } from '../../../../shared/ui/button';
import { createCheckout, createPortal } from '../api/payment-api';
import { authErrorMessage } from '../api/auth-error-message';
import { useAccountMutation } from './use-account-mutation';

interface PaymentButtonProps {
  opens: 'checkout' | 'portal';
  small?: boolean;
  children: ReactNode;
}

/** Leads to a page of Stripe. */
export function PaymentButton({ opens, small = false, children }: PaymentButtonProps) {
  const open = useAccountMutation({
    mutationFn: opens === 'checkout' ? createCheckout : createPortal,
    onSuccess: (url) => window.location.assign(url),
  });
  const { reset } = open;
  useEffect(() => {
    // The browser's Back button may show this page again as it was left.
    const onShown = ({ persisted }: PageTransitionEvent) => persisted && reset();
    window.addEventListener('pageshow', onShown);
    return () => window.removeEventListener('pageshow', onShown);
  }, [reset]);
  return (
    <div className="grid gap-2">
      {open.isError && (
        <p role="alert" className="text-sm text-danger">
          {authErrorMessage(open.error).message}
        </p>
      )}
      <Button
        variant={opens === 'checkout' ? 'primary' : undefined}
        size={small ? 'small' : undefined}
        className={small ? 'justify-self-start' : 'w-full'}
        // Busy until the browser has left this page.
        busy={open.isPending || open.isSuccess}
        onClick={() => open.mutate()}
      >
        {children}
      </Button>
    </div>
  );
}
