import { call, done, field, textField, type Reader } from './auth-call';

/** What a signed-in user does with their own account. */

export const rename = (name: string) => call('/update-user', done, { name });

export const changePassword = (currentPassword: string, newPassword: string) =>
  call('/change-password', done, { currentPassword, newPassword });

/** Asks for another address, which counts once its links are opened. */
export const changeEmail = (newEmail: string) => call('/change-email', done, { newEmail });

export const deleteAccount = (password: string) => call('/delete-user', done, { password });

/** This browser's own session, as the account service has it. */
export interface OwnSession {
  id: string;
  emailVerified: boolean;
}
const readOwn: Reader<OwnSession | null> = (content) => {
  if (content === null) return null;
  const id = textField(field(content, 'session'), 'id');
  return id === null
    ? undefined
    : { id, emailVerified: field(field(content, 'user'), 'emailVerified') === true };
};
export const readOwnSession = () => call('/get-session', readOwn);

export interface Session {
  id: string;
  /** Names the session to the call that ends it. */
  token: string;
  createdAt: string;
  /** True to the hour. */
  seenAt: string;
  userAgent: string | null;
  address: string | null;
}
const readSessions: Reader<Session[]> = (content) => {
  if (!Array.isArray(content)) return undefined;
  return content.flatMap((one: unknown) => {
    const [id, token, createdAt, seenAt] = ['id', 'token', 'createdAt', 'updatedAt'].map((name) =>
      textField(one, name),
    );
    if (id == null || token == null || createdAt == null || seenAt == null) return [];
    const address = textField(one, 'ipAddress');
    return [
      { id, token, createdAt, seenAt, userAgent: textField(one, 'userAgent'), address: address || null },
    ];
  });
};
export const listSessions = () => call('/list-sessions', readSessions);

export const endSession = (token: string) => call('/revoke-session', done, { token });

export const endOtherSessions = () => call('/revoke-other-sessions', done, {});
