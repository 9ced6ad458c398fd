import { AuthError, callAuth, ignoreBody, field, textField, type ResponseReader } from './auth-call';

export const rename = (name: string) => callAuth('/update-user', ignoreBody, { name });

export const changePassword = (currentPassword: string, newPassword: string) =>
  callAuth('/change-password', ignoreBody, { currentPassword, newPassword });

/** Requests a change of address, which takes effect once its links are opened. */
export const changeEmail = (change: { newEmail: string; password: string }) =>
  callAuth('/change-email', ignoreBody, change);

export const deleteAccount = (password: string) => callAuth('/delete-user', ignoreBody, { password });

export interface OwnSession {
  id: string;
  emailVerified: boolean;
  hasApp: boolean;
  /** Whether it was begun with a passkey. */
  byPasskey: boolean;
}
const readOwn: ResponseReader<OwnSession> = (content) => {
  // While the server replaces the session, the old one is gone: what was read before stays until the next try.
  if (content === null) throw new AuthError(401, null, null);
  const id = textField(field(content, 'session'), 'id');
  return id === null
    ? undefined
    : {
        id,
        emailVerified: field(field(content, 'user'), 'emailVerified') === true,
        hasApp: field(field(content, 'user'), 'twoFactorEnabled') === true,
        byPasskey: textField(field(content, 'session'), 'method') === 'passkey',
      };
};
export const readOwnSession = () => callAuth('/get-session', readOwn);

export interface Session {
  id: string;
  /** Identifies the session in `endSession`. */
  token: string;
  createdAt: string;
  /** Accurate to the hour. */
  lastSeenAt: string;
  userAgent: string | null;
  address: string | null;
}
const readSessions: ResponseReader<Session[]> = (content) => {
  if (!Array.isArray(content)) return undefined;
  return content.flatMap((one: unknown) => {
    const [id, token, createdAt, lastSeenAt] = ['id', 'token', 'createdAt', 'updatedAt'].map((name) =>
      textField(one, name),
    );
    if (id == null || token == null || createdAt == null || lastSeenAt == null) return [];
    const address = textField(one, 'ipAddress');
    return [
      { id, token, createdAt, lastSeenAt, userAgent: textField(one, 'userAgent'), address: address || null },
    ];
  });
};
export const listSessions = () => callAuth('/list-sessions', readSessions);

export const endSession = (token: string) => callAuth('/revoke-session', ignoreBody, { token });

export const endOtherSessions = () => callAuth('/revoke-other-sessions', ignoreBody, {});
