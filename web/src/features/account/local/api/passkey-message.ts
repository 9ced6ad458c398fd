import { authErrorMessage } from './auth-error-message';
import { PasskeyNotUsed } from './passkey-api';

/** What went wrong with a passkey, and what to do. */
export function passkeyMessage(error: unknown): string {
  if (!(error instanceof PasskeyNotUsed)) return authErrorMessage(error).message;
  if (error.message === 'InvalidStateError') return 'This device has a passkey for your account already.';
  if (error.message === 'SecurityError')
    return 'Passkeys do not work at this address of Pressroom. Open it at the one that it is run for.';
  return 'No passkey was used: it was cancelled, or took too long. Try again.';
}
