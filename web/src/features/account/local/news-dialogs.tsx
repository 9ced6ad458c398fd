import { Button } from '../../../shared/ui/button';
import { Dialog } from '../../../shared/ui/dialog';
import type { LinkNews } from './api/link-news';
import { LinkNotice } from './sign-in/sign-in-dialog';

/** Tells a signed-in user what a mailed link came to. */
export function LinkNewsDialog({ news, onClose }: { news: LinkNews; onClose: () => void }) {
  return (
    <Dialog label="Your email address" onClose={onClose}>
      <h2 className="mb-6 text-2xl">Your email address</h2>
      <LinkNotice news={news} signedIn />
      <Button variant="primary" className="mt-6 w-full" onClick={onClose}>
        Go on
      </Button>
    </Dialog>
  );
}

/** The last word to somebody who deleted their account. */
export function RemovedDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label="Your account is deleted" onClose={onClose}>
      <h2 className="text-2xl">Your account is deleted</h2>
      <p className="mt-4 text-quiet">
        Everything in it is gone from Pressroom, and you are signed out in every browser. Thank you for having
        been here.
      </p>
      <Button variant="primary" className="mt-8 w-full" onClick={onClose}>
        Close
      </Button>
    </Dialog>
  );
}
