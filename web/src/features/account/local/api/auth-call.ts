import { retryAfter } from '../../../../shared/http/http';

/**
 * Picks out of an answer what it is read for; undefined where the answer is another. By hand, since the start page
 * looks for a session and is not to wait for zod.
 */
export type Reader<T> = (content: unknown) => T | undefined;

export const field = (content: unknown, name: string): unknown =>
  typeof content === 'object' && content !== null ? (content as Record<string, unknown>)[name] : undefined;

export const textField = (content: unknown, name: string): string | null => {
  const value = field(content, name);
  return typeof value === 'string' ? value : null;
};

/** For calls whose success is all that there is to know. */
export const done: Reader<true> = () => true;

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

/**
 * Calls better-auth, as the session's httpOnly cookie on our own origin says who: script never holds it.
 * @param body makes it a POST
 * @throws AuthRefusal
 */
export async function call<T>(path: string, read: Reader<T>, body?: object): Promise<T> {
  const answer = await fetch(`/api/auth${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new AuthRefusal(0, null, null);
  });
  const content: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) throw new AuthRefusal(answer.status, textField(content, 'code'), retryAfter(answer));
  const found = read(content);
  if (found === undefined) throw new AuthRefusal(502, null, null);
  return found;
}
