import type { Failure } from '#libs/contract/envelope.js';
import { errorStatus, type ErrorCode, type FieldError } from '#libs/contract/errors.js';
import { tokenClaims } from './token-claims';

/** `UNREACHABLE`: no answer came at all. Every other code is the API's own. */
type FailureCode = ErrorCode | 'UNREACHABLE';

/** A refused or failed call. `message` is a sentence for the user; `status` is 0 when no answer came. */
export class ApiFailure extends Error {
  readonly code: FailureCode;
  readonly status: number;
  readonly retryAfterSeconds: number | null;
  readonly details: unknown;

  constructor(
    code: FailureCode,
    message: string,
    answer: { status: number; retryAfterSeconds?: number | null; details?: unknown; cause?: unknown },
  ) {
    super(message, { cause: answer.cause });
    this.name = 'ApiFailure';
    this.code = code;
    this.status = answer.status;
    this.retryAfterSeconds = answer.retryAfterSeconds ?? null;
    this.details = answer.details;
  }

  /** What `VALIDATION_FAILED` says of each field. */
  get fieldErrors(): FieldError[] {
    return this.code === 'VALIDATION_FAILED' && Array.isArray(this.details)
      ? (this.details as FieldError[])
      : [];
  }
}

/** The bearer token for the next call, null when signed out. `fresh` asks for a new one instead of a kept one. */
export type GetToken = (options?: { fresh?: boolean }) => Promise<string | null>;

interface CallOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Sent as JSON, a form as multipart. */
  body?: unknown;
}

/** What makes sure of an answer's shape: a schema of the contract. It throws where the shape is another. */
export interface Parser<T> {
  parse: (body: unknown) => T;
}

/**
 * Takes an answer at its word, for what the start page reads: the schemas would double its way to the reader, and
 * page and server come from one build.
 */
export const unchecked = <T>(): Parser<T> => ({ parse: (body) => body as T });

/** Calls the API and answers the parsed body. Every method rejects with {@link ApiFailure}. */
export interface Http {
  get<T>(path: string, schema: Parser<T>, options?: Omit<CallOptions, 'body'>): Promise<T>;
  post<T>(path: string, schema: Parser<T>, options?: CallOptions): Promise<T>;
  put<T>(path: string, schema: Parser<T>, options?: CallOptions): Promise<T>;
  delete<T>(path: string, schema: Parser<T>, options?: CallOptions): Promise<T>;
  /** The bytes of a file that only its owner may read. */
  file(path: string, options?: Pick<CallOptions, 'signal'>): Promise<Blob>;
}

/**
 * A client that sends the token of `getToken`, and once a fresh one when the first is refused, or when it does not
 * tell of a plan that was bought since.
 */
export function createHttp(getToken: GetToken): Http {
  const answered = async (method: string, path: string, options: CallOptions): Promise<Response> => {
    const token = await getToken();
    const answer = await send(method, path, token, options);
    if (token === null || !(answer.status === 401 || (await isOfPlan(answer)))) return answer;
    const fresh = await getToken({ fresh: true });
    const isNews =
      fresh !== null && (answer.status === 401 || tokenClaims(fresh).pla !== tokenClaims(token).pla);
    return isNews ? send(method, path, fresh, options) : answer;
  };
  const call =
    (method: string) =>
    async <T>(path: string, schema: Parser<T>, options: CallOptions = {}): Promise<T> =>
      schema.parse(await readBody(await answered(method, path, options)));
  return {
    get: call('GET'),
    post: call('POST'),
    put: call('PUT'),
    delete: call('DELETE'),
    file: async (path, options = {}) => {
      const answer = await answered('GET', path, options);
      if (answer.ok) return answer.blob();
      await readBody(answer);
      throw unreachable(answer.status);
    },
  };
}

/** For what is public: no token is sent. */
export const publicHttp = createHttp(async () => null);

async function isOfPlan(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return false;
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  return isFailure(body) && body.code === 'PREMIUM_REQUIRED';
}

async function send(
  method: string,
  path: string,
  token: string | null,
  options: CallOptions,
): Promise<Response> {
  const headers = new Headers(options.headers);
  if (token !== null) headers.set('Authorization', `Bearer ${token}`);
  const { body } = options;
  // A form's own type names its boundary, which the browser chooses.
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers.set('Content-Type', 'application/json');
  try {
    return await fetch(path, {
      method,
      headers,
      body: body === undefined || isForm ? body : JSON.stringify(body),
      signal: options.signal,
    });
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw unreachable(0, cause);
  }
}

async function readBody(answer: Response): Promise<unknown> {
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok && body !== null) return body;
  // Not our envelope: a proxy in between answered, since the server behind it did not.
  if (!isFailure(body)) throw unreachable(answer.status);
  throw new ApiFailure(body.code, body.message, {
    status: answer.status,
    retryAfterSeconds: retryAfter(answer),
    details: body.details,
  });
}

/** As the contract's schema says, without bringing zod to the start page. */
function isFailure(body: unknown): body is Failure {
  const { success, code, message } = (body ?? {}) as Partial<Failure>;
  return (
    success === false &&
    typeof message === 'string' &&
    typeof code === 'string' &&
    Object.hasOwn(errorStatus, code)
  );
}

function unreachable(status: number, cause?: unknown): ApiFailure {
  return new ApiFailure(
    'UNREACHABLE',
    navigator.onLine === false
      ? 'This device is offline just now. Nothing is lost; try again once it is connected.'
      : 'Pressroom cannot be reached just now. Nothing is lost; try again in a moment.',
    { status, cause },
  );
}

/** Whole seconds of `Retry-After`, or null. */
export function retryAfter(answer: Response): number | null {
  const seconds = Number(answer.headers.get('Retry-After') ?? answer.headers.get('X-Retry-After') ?? NaN);
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : null;
}
