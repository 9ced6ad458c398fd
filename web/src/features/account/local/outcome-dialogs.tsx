import { Button } from '../../../shared/ui/button';
import { Dialog } from '../../../shared/ui/dialog';
import type { EmailLinkOutcome } from './api/email-link-outcome';
import { EmailLinkNotice } from './sign-in/sign-in-dialog';

export function EmailLinkDialog({ outcome, onClose }: { outcome: EmailLinkOutcome; onClose: () => void }) {
  return (
    <Dialog label="Your email address" onClose={onClose}>
      <h2 className="mb-6 text-2xl">Your email address</h2>
      <EmailLinkNotice outcome={outcome} signedIn />
      <Button variant="primary" className="mt-6 w-full" onClick={onClose}>
        Continue
      </Button>
    </Dialog>
  );
}

export function AccountDeletedDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label="Your account is deleted" onClose={onClose}>
      <h2 className="text-2xl">Your account is deleted</h2>
      <p className="mt-4 text-quiet">
        All your data is deleted, and you are signed out in every browser. Thank you for using Pressroom.
      </p>
      <Button variant="primary" className="mt-8 w-full" onClick={onClose}>
        Close
      </Button>
    </Dialog>
  );
}
