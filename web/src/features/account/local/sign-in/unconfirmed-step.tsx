import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import type { SignedInUser } from '../../../../shared/session/accounts';
import { signIn } from '../api/auth-api';
import { AuthRefusal } from '../api/auth-call';
import { LinkButton } from './link-button';
import { sendConfirmation } from '../api/mail-api';
import { refusalText } from '../api/refusal-text';

interface UnconfirmedStepProps {
  email: string;
  password: string;
  onSignedIn: (user: SignedInUser) => void;
  onBack: () => void;
}

/** What follows a sign-up, or a sign-in too early, where addresses are confirmed: the mailed link, then sign-in. */
export function UnconfirmedStep({ email, password, onSignedIn, onBack }: UnconfirmedStepProps) {
  const [again, setAgain] = useState(false);
  const [early, setEarly] = useState(false);
  const send = useMutation({ mutationFn: () => sendConfirmation(email), onSuccess: () => setAgain(true) });
  const enter = useMutation({
    mutationFn: () => signIn({ email, password }),
    onSuccess: onSignedIn,
    onError: (error) => setEarly(error instanceof AuthRefusal && error.code === 'EMAIL_NOT_VERIFIED'),
  });
  const failure = send.error ?? (early ? null : enter.error);
  const start = (mutate: () => void) => {
    setAgain(false);
    setEarly(false);
    send.reset();
    enter.reset();
    mutate();
  };
  return (
    <div className="mt-6 grid grid-cols-1 gap-5">
      <p>
        We sent a link to <strong className="font-semibold wrap-anywhere">{email}</strong>. Open it within an
        hour; then sign in here. If it is not there after a few minutes, look among unwanted mail.
      </p>
      {again && (
        <Notice tone="success">If the address waits to be confirmed, another link is on its way.</Notice>
      )}
      {early && (
        <Notice tone="note" title="Not confirmed yet">
          Another link is on its way. Open the latest one.
        </Notice>
      )}
      {failure && <Notice tone="danger">{refusalText(failure).message}</Notice>}
      <Button
        variant="primary"
        className="w-full"
        busy={enter.isPending}
        disabled={send.isPending}
        onClick={() => start(enter.mutate)}
      >
        I opened it, sign me in
      </Button>
      <Button
        className="w-full"
        busy={send.isPending}
        disabled={enter.isPending}
        onClick={() => start(send.mutate)}
      >
        Send the link again
      </Button>
      <p className="text-sm text-quiet">
        Wrong address? <LinkButton onClick={onBack}>Go back</LinkButton>
      </p>
    </div>
  );
}
