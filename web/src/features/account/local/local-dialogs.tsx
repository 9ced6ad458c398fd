import { lazy } from 'react';
import type { SignedInUser } from '../../../shared/session/accounts';
import { useLinkNews } from './api/link-news';

const SignInDialog = lazy(() => import('./sign-in/sign-in-dialog'));
const ProfileDialog = lazy(() => import('./profile/profile-dialog'));
const LinkNewsDialog = lazy(() => import('./news-dialogs').then((m) => ({ default: m.LinkNewsDialog })));
const RemovedDialog = lazy(() => import('./news-dialogs').then((m) => ({ default: m.RemovedDialog })));

export type OpenDialog = 'sign-in' | 'sign-up' | 'profile' | 'removed' | null;

interface LocalDialogsProps {
  open: OpenDialog;
  /** Undefined until it is known who is here. */
  user: SignedInUser | null | undefined;
  onClose: () => void;
  onSignedIn: (user: SignedInUser) => void;
  /** Called once the account is deleted. */
  onRemoved: () => void;
}

/** The dialog that was asked for, or else what a mailed link came to. */
export function LocalDialogs({ open, user, onClose, onSignedIn, onRemoved }: LocalDialogsProps) {
  const [news, dropNews] = useLinkNews();
  if (open === 'removed') return <RemovedDialog onClose={onClose} />;
  if (open === 'profile' && user) return <ProfileDialog onClose={onClose} onRemoved={onRemoved} />;
  if (open === 'sign-in' || open === 'sign-up')
    return <SignInDialog first={open} onClose={onClose} onSignedIn={onSignedIn} />;
  if (news === null || user === undefined) return null;
  if (user !== null) return <LinkNewsDialog news={news} onClose={dropNews} />;
  const signedIn = (user: SignedInUser) => {
    dropNews();
    onSignedIn(user);
  };
  return <SignInDialog first="sign-in" news={news} onClose={dropNews} onSignedIn={signedIn} />;
}
