import { call, done } from './auth-call';

/** What is done by a link in a mail. No answer tells whether an address has an account. */

/** Mails the link that confirms an address once more. */
export const sendConfirmation = (email: string) => call('/send-verification-email', done, { email });

/** Mails a link to set a new password by. */
export const requestReset = (email: string) => call('/request-password-reset', done, { email });

/** Sets a new password by a mailed link's token, and ends all sessions. */
export const resetPassword = (token: string, newPassword: string) =>
  call('/reset-password', done, { token, newPassword });
