import { lazy } from 'react';
import type { SignedInUser } from '../../../shared/session/accounts';
import { useEmailLinkOutcome } from './api/email-link-outcome';

const SignInDialog = lazy(() => import('./sign-in/sign-in-dialog'));
const ProfileDialog = lazy(() => import('./profile/profile-dialog'));
const EmailLinkDialog = lazy(() => import('./outcome-dialogs').then((m) => ({ default: m.EmailLinkDialog })));
const AccountDeletedDialog = lazy(() =>
  import('./outcome-dialogs').then((m) => ({ default: m.AccountDeletedDialog })),
);

export type OpenDialog = 'sign-in' | 'sign-up' | 'profile' | 'deleted' | null;

interface LocalDialogsProps {
  open: OpenDialog;
  /** Undefined while the session is loading. */
  user: SignedInUser | null | undefined;
  onClose: () => void;
  onSignedIn: (user: SignedInUser) => void;
  onDeleted: () => void;
}

export function LocalDialogs({ open, user, onClose, onSignedIn, onDeleted }: LocalDialogsProps) {
  const [outcome, dismissOutcome] = useEmailLinkOutcome();
  if (open === 'deleted') return <AccountDeletedDialog onClose={onClose} />;
  if (open === 'profile' && user) return <ProfileDialog onClose={onClose} onDeleted={onDeleted} />;
  if (open === 'sign-in' || open === 'sign-up')
    return <SignInDialog initialStep={open} onClose={onClose} onSignedIn={onSignedIn} />;
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
