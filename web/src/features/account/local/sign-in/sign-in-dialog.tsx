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
        {signedIn ? 'From now on it is the one that you sign in with.' : 'Sign in with it to begin.'}
      </Notice>
    );
  if (outcome === 'agreed')
    return (
      <Notice tone="success" title="One step is left">
        A link is on its way to your new address. Open it, and the change is made; until then the old address
        counts.
      </Notice>
    );
  return (
    <Notice tone="warning" title="This link is not good any more">
      Links work for an hour.{' '}
      {signedIn
        ? 'Ask for a new one in your account, under your email address.'
        : 'Sign in, and a new one is sent to you if your address still waits to be confirmed.'}
    </Notice>
  );
}
