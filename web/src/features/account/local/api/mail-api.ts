import { callAuth, ignoreBody, onCode } from './auth-call';

// The responses do not reveal whether an address has an account.

export const sendConfirmation = (email: string) =>
  callAuth('/send-verification-email', ignoreBody, { email });

export const requestReset = (email: string) => callAuth('/request-password-reset', ignoreBody, { email });

/** Sets a new password by the token of the link, and ends all sessions. */
export const resetPassword = (token: string, newPassword: string): Promise<'done' | 'expired'> =>
  callAuth('/reset-password', () => 'done' as const, { token, newPassword }).catch(
    onCode('INVALID_TOKEN', 'expired'),
  );
