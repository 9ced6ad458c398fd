import { Dialog } from '../../../../shared/ui/dialog';
import { Notice } from '../../../../shared/ui/notice';
import type { SignedInUser } from '../../../../shared/account/accounts';
import type { EmailLinkOutcome } from '../api/email-link-outcome';
import SignInForm, { type Step } from './sign-in-form';

interface SignInDialogProps {
  initialStep: Step;
  outcome?: EmailLinkOutcome | null;
  onClose: () => void;
  onSignedIn: (user: SignedInUser) => void;
}

export default function SignInDialog({
  initialStep,
  outcome = null,
  onClose,
  onSignedIn,
}: SignInDialogProps) {
  return (
    <Dialog label="Sign in to Pressroom" onClose={onClose}>
      <SignInForm
        initialStep={initialStep}
        onSignedIn={onSignedIn}
        notice={outcome !== null && <EmailLinkNotice outcome={outcome} signedIn={false} />}
        inDialog
      />
    </Dialog>
  );
}

export function EmailLinkNotice({ outcome, signedIn }: { outcome: EmailLinkOutcome; signedIn: boolean }) {
  if (outcome === 'confirmed')
    return (
      <Notice tone="success" title="Your address is confirmed">
        {signedIn ? 'Use it to sign in from now on.' : 'Sign in with it to get started.'}
      </Notice>
    );
  if (outcome === 'agreed')
    return (
      <Notice tone="success" title="One more step">
        We sent a link to your new address. Open it to finish the change. Until then, keep using your old
        address.
      </Notice>
    );
  return (
    <Notice tone="warning" title="This link has expired">
      Links work for an hour.{' '}
      {signedIn
        ? 'Request a new one in your account, under your email address.'
        : 'Sign in, and we send a new one if your address is not confirmed yet.'}
    </Notice>
  );
}
