/**
 * Every refusal the product knows: a stable code for programs, and the HTTP status it is answered with.
 * A sentence for the user goes with each error where it is raised.
 */
export const errorStatus = {
  VALIDATION_FAILED: 400,
  UNAUTHENTICATED: 401,
  INSUFFICIENT_CREDITS: 402,
  PREMIUM_REQUIRED: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  JOB_CANCELLED: 409,
  JOB_NOT_CANCELLABLE: 409,
  JOB_NOT_RETRYABLE: 409,
  FILE_TOO_LARGE: 413,
  UNSUPPORTED_FILE: 415,
  UNREADABLE_PDF: 422,
  UNREADABLE_IMAGE: 422,
  IDEMPOTENCY_MISMATCH: 422,
  ENGINE_CANNOT: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  PROVIDER_FAILED: 502,
  QUEUE_FULL: 503,
  UNAVAILABLE: 503,
  JOB_TIMED_OUT: 504,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export interface FieldError {
  field: string;
  message: string;
}

export interface AppErrorOptions {
  /** What helps a program or a form; for `VALIDATION_FAILED` the list of fields. */
  details?: FieldError[] | Record<string, unknown>;
  /** Whole seconds after which the same call may succeed; becomes `Retry-After`. With 429 and 503 there is a default. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** Statuses whose answers say when to come again, whoever gave them. */
const passing: number[] = [errorStatus.RATE_LIMITED, errorStatus.UNAVAILABLE];
/** Seconds, where nothing is known of how long it takes. */
const COME_AGAIN = 5;

/** A refusal or failure with a stable code. Raised where it is known, turned into HTTP in one place. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details?: AppErrorOptions['details'];
  readonly retryAfterSeconds?: number;

  /** @param message a sentence for the user: what happened, and what to do. */
  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds =
      options.retryAfterSeconds ?? (passing.includes(this.status) ? COME_AGAIN : undefined);
  }

  get status(): number {
    return errorStatus[this.code];
  }
}
