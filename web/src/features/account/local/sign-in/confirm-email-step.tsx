import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import type { SignedInUser } from '../../../../shared/account/accounts';
import { signIn } from '../api/auth-api';
import { LinkButton } from './link-button';
import { sendConfirmation } from '../api/account-api';
import { authErrorMessage } from '../api/auth-error-message';

interface ConfirmEmailStepProps {
  email: string;
  password: string;
  onSignedIn: (user: SignedInUser) => void;
  onSecondFactor: () => void;
  onBack: () => void;
}

/** Asks the user to open the emailed confirmation link and then to sign in. */
export function ConfirmEmailStep({
  email,
  password,
  onSignedIn,
  onSecondFactor,
  onBack,
}: ConfirmEmailStepProps) {
  const send = useMutation({ mutationFn: () => sendConfirmation(email) });
  const signInMutation = useMutation({
    mutationFn: () => signIn({ email, password }),
    onSuccess: (user) => {
      if (user === 'second-factor') onSecondFactor();
      else if (user !== null) onSignedIn(user);
    },
  });
  const failure = send.error ?? signInMutation.error;
  const start = (mutate: () => void) => {
    send.reset();
    signInMutation.reset();
    mutate();
  };
  return (
    <div className="mt-6 grid gap-5">
      <p>
        We sent a link to <strong className="font-semibold wrap-anywhere">{email}</strong>. Open it within an
        hour, then sign in here. If it does not arrive in a few minutes, check your spam folder.
      </p>
      {send.isSuccess && (
        <Notice tone="success">If the address is not confirmed yet, we sent another link.</Notice>
      )}
      {signInMutation.data === null && (
        <Notice tone="note" title="Not confirmed yet">
          We sent another link. Open the latest one.
        </Notice>
      )}
      {failure && <Notice tone="danger">{authErrorMessage(failure).message}</Notice>}
      <Button
        variant="primary"
        className="w-full"
        busy={signInMutation.isPending}
        disabled={send.isPending}
        onClick={() => start(signInMutation.mutate)}
      >
        I opened it, sign me in
      </Button>
      <Button
        className="w-full"
        busy={send.isPending}
        disabled={signInMutation.isPending}
        onClick={() => start(send.mutate)}
      >
        Resend link
      </Button>
      <p className="text-sm text-quiet">
        Wrong address? <LinkButton onClick={onBack}>Go back</LinkButton>
      </p>
    </div>
  );
}
