import { AuthError, callAuth, field, ignoreBody, onCode, textField, type ResponseReader } from './auth-call';

export const rename = (name: string) => callAuth('/update-user', ignoreBody, { name });

export const changePassword = (currentPassword: string, newPassword: string) =>
  callAuth('/change-password', ignoreBody, { currentPassword, newPassword });

/** Requests a change of the email address. It takes effect after the user opens the links that the server sends. */
export const changeEmail = (change: { newEmail: string; password: string }) =>
  callAuth('/change-email', ignoreBody, change);

export const deleteAccount = (password: string) => callAuth('/delete-user', ignoreBody, { password });

// These calls succeed for any address, so that they don't reveal whether an address has an account.
export const sendConfirmation = (email: string) =>
  callAuth('/send-verification-email', ignoreBody, { email });

export const requestReset = (email: string) => callAuth('/request-password-reset', ignoreBody, { email });

/** Sets a new password with the token of an email link. Ends all of the user's sessions. */
export const resetPassword = (token: string, newPassword: string): Promise<'done' | 'expired'> =>
  callAuth('/reset-password', () => 'done' as const, { token, newPassword }).catch(
    onCode('INVALID_TOKEN', 'expired'),
  );

export interface OwnSession {
  id: string;
  emailVerified: boolean;
  /** True if the account has an authenticator app. */
  hasApp: boolean;
  /** True if the user has an authenticator app or signed in with a passkey. */
  hasSecondFactor: boolean;
}
const readOwn: ResponseReader<OwnSession> = (content) => {
  // The server is just replacing the session. Throw, so that the query keeps its data and retries.
  if (content === null) throw new AuthError(401, null, null);
  const [session, user] = [field(content, 'session'), field(content, 'user')];
  const id = textField(session, 'id');
  if (id === null) return undefined;
  const hasApp = field(user, 'twoFactorEnabled') === true;
  return {
    id,
    emailVerified: field(user, 'emailVerified') === true,
    hasApp,
    hasSecondFactor: hasApp || textField(session, 'method') === 'passkey',
  };
};
export const readOwnSession = () => callAuth('/get-session', readOwn);

export interface Session {
  id: string;
  createdAt: string;
  /** ISO date, accurate to the hour. */
  lastSeenAt: string;
  userAgent: string | null;
  address: string | null;
}
const readSessions: ResponseReader<Session[]> = (content) => {
  if (!Array.isArray(content)) return undefined;
  return content.flatMap((one: unknown) => {
    const [id, createdAt, lastSeenAt] = ['id', 'createdAt', 'updatedAt'].map((name) => textField(one, name));
    if (id == null || createdAt == null || lastSeenAt == null) return [];
    const address = textField(one, 'ipAddress');
    return [{ id, createdAt, lastSeenAt, userAgent: textField(one, 'userAgent'), address: address || null }];
  });
};
export const listSessions = () => callAuth('/list-sessions', readSessions);

export const endSession = (id: string) => callAuth('/revoke-session', ignoreBody, { id });

export const endOtherSessions = () => callAuth('/revoke-other-sessions', ignoreBody, {});
