import { lazy, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useConfig } from '../../../shared/account/read-config';
import type { SignedInUser } from '../../../shared/account/accounts';
import { useEmailLinkOutcome } from './api/email-link-outcome';
import { hasReturned } from './api/payment-api';
import type { AccountSection } from './profile/profile-dialog';

const SignInDialog = lazy(() => import('./sign-in/sign-in-dialog'));
const ProfileDialog = lazy(() => import('./profile/profile-dialog'));
const SecondFactorPrompt = lazy(() => import('./second-factor-prompt'));
const GuessedCodesPrompt = lazy(() => import('./guessed-codes-prompt'));
const CheckoutReturnDialog = lazy(() => import('./checkout-return-dialog'));
const EmailLinkDialog = lazy(() => import('./outcome-dialogs').then((m) => ({ default: m.EmailLinkDialog })));
const AccountDeletedDialog = lazy(() =>
  import('./outcome-dialogs').then((m) => ({ default: m.AccountDeletedDialog })),
);

export type OpenDialog = 'sign-in' | 'sign-up' | 'profile' | AccountSection | 'deleted' | null;

interface LocalDialogsProps {
  open: OpenDialog;
  /** Null if nobody is signed in, undefined while the session is loading. */
  user: SignedInUser | null | undefined;
  onClose: () => void;
  onSignedIn: (user: SignedInUser) => void;
  onDeleted: () => void;
  onOpen: (section: AccountSection) => void;
}

export function LocalDialogs({ open, user, onClose, onSignedIn, onDeleted, onOpen }: LocalDialogsProps) {
  const [outcome, dismissOutcome] = useEmailLinkOutcome();
  const config = useConfig().data;
  /** Time of the guesses whose dialog was closed in this tab. */
  const [closedGuess, setClosedGuess] = useState<string | null>(null);
  const { search } = useLocation();
  if (open === 'deleted') return <AccountDeletedDialog onClose={onClose} />;
  if ((open === 'profile' || open === 'security' || open === 'sessions') && user)
    return <ProfileDialog section={open} onClose={onClose} onDeleted={onDeleted} />;
  if (open === 'sign-in' || open === 'sign-up')
    return <SignInDialog initialStep={open} onClose={onClose} onSignedIn={onSignedIn} />;
  if (user && config?.accounts.payment && hasReturned(search)) return <CheckoutReturnDialog />;
  if (outcome === null && user)
    return (
      <GuessedCodesPrompt key={user.id} closed={closedGuess} onClose={setClosedGuess} onOpen={onOpen}>
        {config?.accounts.twoFactorFor === 'operators' && (
          <SecondFactorPrompt onSetUp={() => onOpen('security')} />
        )}
      </GuessedCodesPrompt>
    );
  if (outcome === null || user === undefined) return null;
  if (user !== null) return <EmailLinkDialog outcome={outcome} onClose={dismissOutcome} />;
  const signedIn = (user: SignedInUser) => {
    dismissOutcome();
    onSignedIn(user);
  };
  return (
    <SignInDialog initialStep="sign-in" outcome={outcome} onClose={dismissOutcome} onSignedIn={signedIn} />
  );
}
