import { useEffect } from 'react';
import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { Button } from '../../../../shared/ui/button';
import type { SignedInUser } from '../../../../shared/account/accounts';
import { offersAutofill, signInWithPasskey, stopWaitingForPasskey } from '../api/passkey-api';
import { AuthProblem } from '../ui/auth-problem';

/** Signs in with a passkey: by this button, or by the one that the browser offers in the field for the address. */
export function PasskeyButton({ onSignedIn }: { onSignedIn: (user: SignedInUser) => void }) {
  const signIn = useMutation({ mutationFn: () => signInWithPasskey(), onSuccess: onSignedIn });
  useEffect(() => {
    let isGone = false;
    const wait = async () => {
      if (!(await offersAutofill()) || isGone) return;
      const user = await signInWithPasskey({ autofill: true });
      if (!isGone) onSignedIn(user);
    };
    // The button says what is wrong with a passkey.
    void wait().catch(() => undefined);
    return () => {
      isGone = true;
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
