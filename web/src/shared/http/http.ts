import type { Failure } from '#libs/contract/routes/define-route.js';
import { errorStatus, type ErrorCode, type FieldError } from '#libs/contract/errors.js';
import { sameOriginUrl } from '../lib/same-origin-url';
import { tokenClaims } from './token-claims';

/** `UNREACHABLE`: no response came. Every other code is the API's. */
type FailureCode = ErrorCode | 'UNREACHABLE';

/** A failed call. `message` is text for the user; `status` is 0 when no response came. */
export class ApiFailure extends Error {
  readonly code: FailureCode;
  readonly status: number;
  readonly retryAfterSeconds: number | null;
  readonly details: unknown;

  constructor(
    code: FailureCode,
    message: string,
    response: { status: number; retryAfterSeconds?: number | null; details?: unknown; cause?: unknown },
  ) {
    super(message, { cause: response.cause });
    this.name = 'ApiFailure';
    this.code = code;
    this.status = response.status;
    this.retryAfterSeconds = response.retryAfterSeconds ?? null;
    this.details = response.details;
  }

  /** The errors of single fields in a `VALIDATION_FAILED`. */
  get fieldErrors(): FieldError[] {
    return this.code === 'VALIDATION_FAILED' && Array.isArray(this.details)
      ? (this.details as FieldError[])
      : [];
  }
}

/** Whether the call was rate limited. Queries retry automatically, so the error is not shown. */
export const isTooFast = (error: Error | null) =>
  error instanceof ApiFailure && error.code === 'RATE_LIMITED';

/** Whether the requested object does not exist, or was deleted. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiFailure && error.status === 404;

/** The bearer token for the next call, null when signed out. `fresh` bypasses the cache. */
export type GetToken = (options?: { fresh?: boolean }) => Promise<string | null>;

interface RequestOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Sent as JSON; `FormData` as multipart. */
  body?: unknown;
}

/** Sends requests to the API with the user's token. `api/call.ts` calls routes with it. */
export interface Http {
  /** Resolves to any response, even an error. @throws ApiFailure `UNREACHABLE` without a response */
  send(method: string, url: string, options: RequestOptions): Promise<Response>;
}

/**
 * An API client that sends the token of `getToken`. It retries once with a fresh token when the server rejects the
 * token, or when the token lacks a plan that the user has bought since.
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

/** A client without a token. */
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
  // The browser sets the multipart boundary.
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers.set('Content-Type', 'application/json');
  return reach(path, {
    method,
    headers,
    body: body === undefined || isForm ? body : JSON.stringify(body),
    signal: options.signal,
  });
}

/** Reads the file at a URL from the API. @throws ApiFailure, whose status says whether a retry can succeed */
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

/** The body of a successful response. @throws ApiFailure for any other */
export async function readBody(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && body !== null) return body;
  // A proxy sends another format when its server is down.
  if (!isFailure(body)) throw unreachable(response.status);
  throw new ApiFailure(body.code, body.message, {
    status: response.status,
    retryAfterSeconds: retryAfter(response),
    details: body.details,
  });
}

/** Checks the contract's shape without zod, which the start page does not load. */
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
  return new ApiFailure(
    'UNREACHABLE',
    navigator.onLine === false
      ? 'You are offline. Nothing is lost. Try again when you are back online.'
      : 'Pressroom cannot be reached. Nothing is lost. Try again in a moment.',
    { status, cause },
  );
}

/** Whole seconds of `Retry-After`, or null. */
export function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('Retry-After') ?? response.headers.get('X-Retry-After') ?? NaN);
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : null;
}
