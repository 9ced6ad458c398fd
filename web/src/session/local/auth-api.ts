import { z } from 'zod';
import { retryAfter } from '../../api/http';
import type { SignedInUser } from '../accounts';

/** better-auth's endpoints. The session is its httpOnly cookie on our own origin; script never holds it. */

const userSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  image: z.string().nullish(),
});
const sessionSchema = z.object({ user: userSchema }).nullable();
const tokenSchema = z.object({ token: z.string() });
const refusalSchema = z.object({ code: z.string().optional(), message: z.string().optional() });

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
  call('/sign-up/email', z.object({ user: userSchema }), body).then(({ user }) => toUser(user));

export const signIn = ({ email, password }: { email: string; password: string }) =>
  call('/sign-in/email', z.object({ user: userSchema }), { email, password }).then(({ user }) =>
    toUser(user),
  );

export const signOut = () => call('/sign-out', z.unknown(), {});

/** The signed-in person, or null. */
export const readSession = async (): Promise<SignedInUser | null> => {
  const session = await call('/get-session', sessionSchema);
  return session === null ? null : toUser(session.user);
};

/** A new token of five minutes for the API, or null when the session has ended. */
export const readToken = async (): Promise<string | null> => {
  try {
    return (await call('/token', tokenSchema)).token;
  } catch (error) {
    if (error instanceof AuthRefusal && error.status === 401) return null;
    throw error;
  }
};

const toUser = ({ id, name, email, image }: z.infer<typeof userSchema>): SignedInUser => ({
  id,
  fullName: name,
  email,
  imageUrl: image ?? null,
});

async function call<T>(path: string, schema: z.ZodType<T>, body?: object): Promise<T> {
  const answer = await fetch(`/api/auth${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new AuthRefusal(0, null, null);
  });
  const content: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) {
    const refusal = refusalSchema.safeParse(content);
    throw new AuthRefusal(answer.status, refusal.data?.code ?? null, retryAfter(answer));
  }
  const parsed = schema.safeParse(content);
  if (!parsed.success) throw new AuthRefusal(502, null, null);
  return parsed.data;
}
