import { Dialog } from '../../components/dialog';
import type { SignedInUser } from '../accounts';
import type { Mode } from './credentials-form';
import SignInForm from './sign-in-form';

interface SignInDialogProps {
  /** Which of the two forms it opens with. */
  first: Mode;
  onClose: () => void;
  onSignedIn: (user: SignedInUser) => void;
}

export default function SignInDialog({ first, onClose, onSignedIn }: SignInDialogProps) {
  return (
    <Dialog label="Sign in to Pressroom" onClose={onClose}>
      <SignInForm first={first} onSignedIn={onSignedIn} bare />
    </Dialog>
  );
}
