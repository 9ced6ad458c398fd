import { retryAfter } from '../../../../shared/http/http';

/**
 * Parses a response. Returns undefined if the response has another shape. Written without zod, to keep the start page, which
 * loads this code, small.
 */
export type ResponseReader<T> = (content: unknown) => T | undefined;

export const field = (content: unknown, name: string): unknown =>
  typeof content === 'object' && content !== null ? (content as Record<string, unknown>)[name] : undefined;

export const textField = (content: unknown, name: string): string | null => {
  const value = field(content, name);
  return typeof value === 'string' ? value : null;
};

export const ignoreBody: ResponseReader<true> = () => true;

/** A failed call. `code` is better-auth's error code; `status` is the HTTP status, or 0 if there was no response. */
export class AuthError extends Error {
  constructor(
    readonly status: number,
    readonly code: string | null,
    readonly retryAfterSeconds: number | null,
    /** The server's words, for codes whose reason only the server knows. */
    readonly reason: string | null = null,
  ) {
    super(`The account service answered ${status}${code === null ? '' : ` ${code}`}.`);
    this.name = 'AuthError';
  }
}

/** Calls better-auth, by POST if there is a `body`, else by GET. The session is an httpOnly cookie. @throws AuthError */
export async function callAuth<T>(path: string, read: ResponseReader<T>, body?: object): Promise<T> {
  const response = await fetch(`/api/auth${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new AuthError(0, null, null);
  });
  const content: unknown = await response.json().catch(() => undefined);
  if (!response.ok)
    throw new AuthError(
      response.status,
      textField(content, 'code'),
      retryAfter(response),
      textField(content, 'message'),
    );
  const value = read(content);
  if (value === undefined) throw new AuthError(502, null, null);
  return value;
}

export const onCode =
  <Outcome>(code: string, outcome: Outcome) =>
  (error: unknown): Outcome => {
    if (error instanceof AuthError && error.code === code) return outcome;
    throw error;
  };
