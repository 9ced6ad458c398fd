import type { SignedInUser } from '../../../../shared/session/accounts';
import { AuthRefusal, call, done, field, textField, type Reader } from './auth-call';

/** Sign-in, sign-up and the session: the part of better-auth's endpoints that the start page needs. */

const readUser: Reader<SignedInUser> = (content) => {
  const user = field(content, 'user');
  const [id, fullName, email] = ['id', 'name', 'email'].map((name) => textField(user, name));
  if (id == null || fullName == null || email == null) return undefined;
  return { id, fullName, email, imageUrl: textField(user, 'image') };
};
const readSessionUser: Reader<SignedInUser | null> = (content) =>
  content === null ? null : readUser(content);
/** Without a session in the answer the address is to be confirmed first. */
const readNewUser: Reader<SignedInUser | null> = (content) =>
  field(content, 'token') === null ? null : readUser(content);
const readTokenText: Reader<string> = (content) => textField(content, 'token') ?? undefined;

/** Creates an account; null where its address is to be confirmed before the first sign-in. */
export const signUp = (body: { name: string; email: string; password: string }) =>
  call('/sign-up/email', readNewUser, body);

export const signIn = ({ email, password }: { email: string; password: string }) =>
  call('/sign-in/email', readUser, { email, password });

export const signOut = () => call('/sign-out', done, {});

/** The signed-in user, or null. */
export const readSession = () => call('/get-session', readSessionUser);

/** A new token of five minutes for the API, or null when the session has ended. */
export const readToken = async (): Promise<string | null> => {
  try {
    return await call('/token', readTokenText);
  } catch (error) {
    if (error instanceof AuthRefusal && error.status === 401) return null;
    throw error;
  }
};
