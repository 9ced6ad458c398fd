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
/** A response without token means that the user must confirm the email address first. */
const readNewUser: ResponseReader<SignedInUser | null> = (content) =>
  field(content, 'token') === null ? null : readUser(content);
const readTokenText: ResponseReader<string> = (content) => textField(content, 'token') ?? undefined;

/** Resolves to null if the user must confirm the email address first. */
export const signUp = (body: { name: string; email: string; password: string }) =>
  callAuth('/sign-up/email', readNewUser, body);

/** Reads `second-factor` if the password is correct but a code is required too. */
const readSignIn: ResponseReader<SignedInUser | 'second-factor'> = (content) =>
  field(content, 'twoFactorRedirect') === true ? 'second-factor' : readUser(content);

/** Resolves to null if the user must confirm the email address first; the server has then sent a link. */
export const signIn = ({ email, password }: { email: string; password: string }) =>
  callAuth('/sign-in/email', readSignIn, { email, password }).catch(onCode('EMAIL_NOT_VERIFIED', null));

export const signOut = () => callAuth('/sign-out', ignoreBody, {});

export const readSession = () => callAuth('/get-session', readSessionUser);

/** Fetches a new API token, valid for five minutes. Resolves to null if the session has ended. */
export const readToken = async (): Promise<string | null> => {
  try {
    return await callAuth('/token', readTokenText);
  } catch (error) {
    if (error instanceof AuthError && error.status === 401) return null;
    throw error;
  }
};
