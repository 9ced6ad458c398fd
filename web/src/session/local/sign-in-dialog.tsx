import { Dialog } from '../../components/dialog';
import type { SignedInUser } from '../accounts';
import SignInForm from './sign-in-form';

interface SignInDialogProps {
  onClose: () => void;
  onSignedIn: (user: SignedInUser) => void;
}

export default function SignInDialog({ onClose, onSignedIn }: SignInDialogProps) {
  return (
    <Dialog label="Sign in to Pressroom" onClose={onClose}>
      <SignInForm onSignedIn={onSignedIn} bare />
    </Dialog>
  );
}
