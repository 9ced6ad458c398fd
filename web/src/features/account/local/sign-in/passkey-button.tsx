import { useEffect } from 'react';
import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { Button } from '../../../../shared/ui/button';
import type { SignedInUser } from '../../../../shared/account/accounts';
import { offersAutofill, signInWithPasskey, stopWaitingForPasskey } from '../api/passkey-api';
import { AuthProblem } from '../ui/auth-problem';

/** Button to sign in with a passkey. While mounted, also offers passkeys in the email field's autofill. */
export function PasskeyButton({ onSignedIn }: { onSignedIn: (user: SignedInUser) => void }) {
  const signIn = useMutation({ mutationFn: () => signInWithPasskey(), onSuccess: onSignedIn });
  useEffect(() => {
    let isUnmounted = false;
    const wait = async () => {
      if (!(await offersAutofill()) || isUnmounted) return;
      const user = await signInWithPasskey({ autofill: true });
      if (!isUnmounted) onSignedIn(user);
    };
    // Ignore errors of autofill, which the user did not start. The button shows its own errors.
    void wait().catch(() => undefined);
    return () => {
      isUnmounted = true;
      void stopWaitingForPasskey();
    };
  }, [onSignedIn]);
  return (
    <div className="mt-5 grid gap-5">
      <p aria-hidden="true" className="flex items-center gap-3 text-sm text-quiet">
        <span className="h-px flex-1 bg-line" />
        or
        <span className="h-px flex-1 bg-line" />
      </p>
      <Button className="w-full" busy={signIn.isPending} onClick={() => signIn.mutate()}>
        <KeyRound aria-hidden="true" className="size-4" />
        Sign in with a passkey
      </Button>
      {signIn.isError && <AuthProblem error={signIn.error} />}
    </div>
  );
}
