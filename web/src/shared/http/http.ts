import type { Failure } from '#libs/contract/routes/define-route.js';
import { errorStatus, type ErrorCode, type FieldError } from '#libs/contract/errors.js';
import { sameOriginUrl } from '../lib/same-origin-url';
import { tokenClaims } from './token-claims';

/** An error code of the API, or `UNREACHABLE` if there was no response from the API. */
type FailureCode = ErrorCode | 'UNREACHABLE';

/** A failed API call. `message` is for the user; `status` is the HTTP status, or 0 if there was no response. */
export class ApiFailure extends Error {
  readonly code: FailureCode;
  readonly status: number;
  readonly retryAfterSeconds: number | null;
  readonly details: unknown;
  /** True if the browser was offline. */
  readonly isOffline: boolean;

  constructor(
    code: FailureCode,
    message: string,
    response: {
      status: number;
      retryAfterSeconds?: number | null;
      details?: unknown;
      isOffline?: boolean;
      cause?: unknown;
    },
  ) {
    super(message, { cause: response.cause });
    this.name = 'ApiFailure';
    this.code = code;
    this.status = response.status;
    this.retryAfterSeconds = response.retryAfterSeconds ?? null;
    this.details = response.details;
    this.isOffline = response.isOffline ?? false;
  }

  /** Errors of single fields if the code is `VALIDATION_FAILED`, otherwise []. */
  get fieldErrors(): FieldError[] {
    return this.code === 'VALIDATION_FAILED' && Array.isArray(this.details)
      ? (this.details as FieldError[])
      : [];
  }
}

/** True if the call was rate limited. Don't show this error for queries, which are retried automatically. */
export const isTooFast = (error: Error | null) =>
  error instanceof ApiFailure && error.code === 'RATE_LIMITED';

/** True if the requested object doesn't exist (any more). */
export const isNotFound = (error: unknown): boolean => error instanceof ApiFailure && error.status === 404;

/** Resolves to the bearer token for the next call, or to null if nobody is signed in. `fresh` bypasses the cache. */
export type GetToken = (options?: { fresh?: boolean }) => Promise<string | null>;

interface RequestOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Sent as multipart if it is `FormData`, otherwise as JSON. */
  body?: unknown;
}

/** Sends requests to the API with the user's token. Use `call` of call.ts to call a route. */
export interface Http {
  /** Resolves to the response, also if it is an error. @throws ApiFailure `UNREACHABLE` if there is no response */
  send(method: string, url: string, options: RequestOptions): Promise<Response>;
}

/**
 * Creates an API client that sends the token of `getToken`. The client retries once with a fresh token if the server rejects
 * the token, or if the response is PREMIUM_REQUIRED, because the token may be older than the user's premium plan.
 */
export const createHttp = (getToken: GetToken): Http => ({
  async send(method, url, options) {
    const token = await getToken();
    const response = await send(method, url, token, options);
    if (token === null || !(response.status === 401 || (await isPremiumRequired(response)))) return response;
    const fresh = await getToken({ fresh: true });
    const shouldRetry =
      fresh !== null && (response.status === 401 || tokenClaims(fresh).pla !== tokenClaims(token).pla);
    return shouldRetry ? send(method, url, fresh, options) : response;
  },
});

/** An API client that sends no token. */
export const publicHttp = createHttp(async () => null);

async function isPremiumRequired(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return isFailure(body) && body.code === 'PREMIUM_REQUIRED';
}

async function send(
  method: string,
  path: string,
  token: string | null,
  options: RequestOptions,
): Promise<Response> {
  const headers = new Headers(options.headers);
  if (token !== null) headers.set('Authorization', `Bearer ${token}`);
  const { body } = options;
  // Leave the Content-Type of form data to the browser, which adds the multipart boundary.
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers.set('Content-Type', 'application/json');
  return reach(path, {
    method,
    headers,
    body: body === undefined || isForm ? body : JSON.stringify(body),
    signal: options.signal,
    // A deletion that is sent while the page closes still reaches the server.
    keepalive: method === 'DELETE',
  });
}

/** Downloads a file from a URL of the API. @throws ApiFailure */
export async function fetchFile(url: string, signal?: AbortSignal): Promise<Blob> {
  const response = await reach(sameOriginUrl(url), { signal });
  if (!response.ok) await readBody(response);
  return response.blob();
}

async function reach(path: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(path, options);
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw unreachable(0, cause);
  }
}

/** Reads the body of a successful response. @throws ApiFailure if the response is an error or not JSON */
export async function readBody(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && body !== null) return body;
  // An error in another format comes from a proxy whose server is down.
  if (!isFailure(body)) throw unreachable(response.status);
  throw new ApiFailure(body.code, body.message, {
    status: response.status,
    retryAfterSeconds: retryAfter(response),
    details: body.details,
  });
}

/** Checks for the contract's error format without zod, to keep the start page, which uses this code, small. */
function isFailure(body: unknown): body is Failure {
  const { success, code, message } = (body ?? {}) as Partial<Failure>;
  return (
    success === false &&
    typeof message === 'string' &&
    typeof code === 'string' &&
    Object.hasOwn(errorStatus, code)
  );
}

export function unreachable(status: number, cause?: unknown): ApiFailure {
  const isOffline = navigator.onLine === false;
  return new ApiFailure(
    'UNREACHABLE',
    isOffline
      ? 'You are offline. Nothing is lost. Try again when you are back online.'
      : 'Pressroom cannot be reached. Nothing is lost. Try again in a moment.',
    { status, isOffline, cause },
  );
}

/** Seconds of the `Retry-After` header, rounded up; null if there is no such header. */
export function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('Retry-After') ?? response.headers.get('X-Retry-After') ?? NaN);
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : null;
}
