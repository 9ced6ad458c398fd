/**
 * What a failure says of other calls. `request`: nothing, it lay in this request or its answer. `service`: the
 * provider is away, faulty, busy or too slow. `account`: our key, its credit or the model is refused. `held`: the
 * provider failed others just before and was not asked, or only to see whether it is back.
 */
export type FailureScope = 'request' | 'service' | 'account' | 'held';

export interface EngineErrorOptions {
  retryable: boolean;
  retryAfterMs?: number;
  /** `request` unless said. */
  scope?: FailureScope;
  cause?: unknown;
}

/**
 * A failed call to an AI engine. The message is for the user and holds no secret. `retryable` says whether the
 * same request may pass later (429, 5xx, a broken connection); `retryAfterMs` is the provider's own wish, if it
 * named one. `cause` says what happened in the provider's terms, for the log.
 */
export class EngineError extends Error {
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly scope: FailureScope;

  constructor(message: string, options: EngineErrorOptions) {
    super(message, { cause: options.cause });
    this.name = 'EngineError';
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
    this.scope = options.scope ?? 'request';
  }
}
