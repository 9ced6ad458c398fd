import { retryAfter } from '../../api/http';
import type { SignedInUser } from '../accounts';

/** better-auth's endpoints. The session is its httpOnly cookie on our own origin; script never holds it. */

/**
 * Picks out of an answer what it is read for; undefined where the answer is another. By hand, since the start page
 * looks for a session and is not to wait for zod.
 */
type Reader<T> = (content: unknown) => T | undefined;

const field = (content: unknown, name: string): unknown =>
  typeof content === 'object' && content !== null ? (content as Record<string, unknown>)[name] : undefined;

const readUser: Reader<SignedInUser> = (content) => {
  const user = field(content, 'user');
  const [id, name, email, image] = ['id', 'name', 'email', 'image'].map((key) => field(user, key));
  if (typeof id !== 'string' || typeof name !== 'string' || typeof email !== 'string') return undefined;
  return { id, fullName: name, email, imageUrl: typeof image === 'string' ? image : null };
};
const readSessionUser: Reader<SignedInUser | null> = (content) =>
  content === null ? null : readUser(content);
const readTokenText: Reader<string> = (content) => {
  const token = field(content, 'token');
  return typeof token === 'string' ? token : undefined;
};

/** A refused call. `code` is better-auth's; `status` 0 means that no answer came. */
export class AuthRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string | null,
    readonly retryAfterSeconds: number | null,
  ) {
    super(`The account service answered ${status}${code === null ? '' : ` ${code}`}.`);
    this.name = 'AuthRefusal';
  }
}

export const signUp = (body: { name: string; email: string; password: string }) =>
  call('/sign-up/email', readUser, body);

export const signIn = ({ email, password }: { email: string; password: string }) =>
  call('/sign-in/email', readUser, { email, password });

export const signOut = () => call<true>('/sign-out', () => true, {});

/** The signed-in person, or null. */
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

async function call<T>(path: string, read: Reader<T>, body?: object): Promise<T> {
  const answer = await fetch(`/api/auth${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new AuthRefusal(0, null, null);
  });
  const content: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) {
    const code = field(content, 'code');
    throw new AuthRefusal(answer.status, typeof code === 'string' ? code : null, retryAfter(answer));
  }
  const found = read(content);
  if (found === undefined) throw new AuthRefusal(502, null, null);
  return found;
}
