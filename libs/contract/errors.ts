/**
 * Every error code with its HTTP status. Clients depend on the codes, so they must not change. Messages are written where
 * an error is thrown.
 */
export const errorStatus = {
  VALIDATION_FAILED: 400,
  UNAUTHENTICATED: 401,
  INSUFFICIENT_CREDITS: 402,
  PREMIUM_REQUIRED: 403,
  FORBIDDEN: 403,
  TWO_FACTOR_REQUIRED: 403,
  SCOPE_REQUIRED: 403,
  KEY_CAP_REACHED: 403,
  BUDGET_EXHAUSTED: 403,
  ACCOUNT_SUSPENDED: 403,
  NOT_FOUND: 404,
  REQUEST_TOO_SLOW: 408,
  JOB_CANCELLED: 409,
  JOB_NOT_CANCELLABLE: 409,
  JOB_NOT_RETRYABLE: 409,
  STORAGE_FULL: 409,
  RESULT_DELETED: 410,
  VERSION_CONFLICT: 412,
  FILE_TOO_LARGE: 413,
  UNSUPPORTED_FILE: 415,
  UNREADABLE_PDF: 422,
  UNREADABLE_DOCUMENT: 422,
  UNREADABLE_IMAGE: 422,
  IDEMPOTENCY_MISMATCH: 422,
  ENGINE_CANNOT: 422,
  PRECONDITION_REQUIRED: 428,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  PROVIDER_FAILED: 502,
  QUEUE_FULL: 503,
  DISK_FULL: 503,
  UNAVAILABLE: 503,
  JOB_TIMED_OUT: 504,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export interface FieldError {
  field: string;
  message: string;
}

export interface AppErrorOptions {
  /** Sent to the client. For `VALIDATION_FAILED`, the list of invalid fields. */
  details?: FieldError[] | Record<string, unknown>;
  /** Whole seconds to wait before a retry, sent as `Retry-After`. Default: 5 for statuses 429 and 503, otherwise none. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** Statuses whose responses always have `Retry-After`. */
export const retryableStatuses: number[] = [errorStatus.RATE_LIMITED, errorStatus.UNAVAILABLE];
const DEFAULT_RETRY_SECONDS = 5;

/** An error with a stable code. `api/http/errors-filter.ts` turns it into HTTP. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details?: AppErrorOptions['details'];
  readonly retryAfterSeconds?: number;

  /** @param message shown to the user, so it should say what happened and what the user can do */
  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds =
      options.retryAfterSeconds ??
      (retryableStatuses.includes(this.status) ? DEFAULT_RETRY_SECONDS : undefined);
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** The input would take more time or memory than one job may use. */
export class LimitExceeded extends AppError {}
