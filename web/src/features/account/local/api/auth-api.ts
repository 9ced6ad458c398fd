import type { SignedInUser } from '../../../../shared/account/accounts';
import { AuthError, callAuth, ignoreBody, field, onCode, textField, type ResponseReader } from './auth-call';

export const readUser: ResponseReader<SignedInUser> = (content) => {
  const user = field(content, 'user');
  const [id, fullName, email] = ['id', 'name', 'email'].map((name) => textField(user, name));
  if (id == null || fullName == null || email == null) return undefined;
  return { id, fullName, email, imageUrl: textField(user, 'image') };
};
const readSessionUser: ResponseReader<SignedInUser | null> = (content) =>
  content === null ? null : readUser(content);
/** Without a token, the email address must be confirmed first. */
const readNewUser: ResponseReader<SignedInUser | null> = (content) =>
  field(content, 'token') === null ? null : readUser(content);
const readTokenText: ResponseReader<string> = (content) => textField(content, 'token') ?? undefined;

/** Null if the email address must be confirmed first. */
export const signUp = (body: { name: string; email: string; password: string }) =>
  callAuth('/sign-up/email', readNewUser, body);

/** `second-factor`: the password is correct, and a code is required. */
const readSignIn: ResponseReader<SignedInUser | 'second-factor'> = (content) =>
  field(content, 'twoFactorRedirect') === true ? 'second-factor' : readUser(content);

/** Null if the email address must be confirmed first; the server has sent a link. */
export const signIn = ({ email, password }: { email: string; password: string }) =>
  callAuth('/sign-in/email', readSignIn, { email, password }).catch(onCode('EMAIL_NOT_VERIFIED', null));

export const signOut = () => callAuth('/sign-out', ignoreBody, {});

export const readSession = () => callAuth('/get-session', readSessionUser);

/** A new API token, valid for five minutes; null when the session has ended. */
export const readToken = async (): Promise<string | null> => {
  try {
    return await callAuth('/token', readTokenText);
  } catch (error) {
    if (error instanceof AuthError && error.status === 401) return null;
    throw error;
  }
};
