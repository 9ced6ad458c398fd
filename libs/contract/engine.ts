import { z } from 'zod';

/** The maker of a result: a connected AI provider, or this server itself, with a model or by rules. */
export const engineNameSchema = z.enum(['openai', 'offline']).meta({ description: 'What made this result.' });
export type EngineName = z.infer<typeof engineNameSchema>;

export const engineShape = {
  engine: engineNameSchema,
  model: z
    .string()
    .nullable()
    .meta({ description: 'The name of the model that made it; null when rules made it.' }),
};

/**
 * The cause of a failure. `request`: this request or its answer. `service`: the provider is down, busy or too slow.
 * `account`: the key, its credit or the model is rejected. `held`: the circuit breaker rejected the call, or the call
 * was its probe. `server`: a model on this server.
 */
export type FailureScope = 'request' | 'service' | 'account' | 'held' | 'server';

export interface EngineErrorOptions {
  retryable: boolean;
  retryAfterMs?: number;
  /** Default: `request`. */
  scope?: FailureScope;
  cause?: unknown;
}

/**
 * A failed call to an AI engine. The message is for the user and holds no secret. `retryable`: the same request may
 * succeed later (429, 5xx, a lost connection). `retryAfterMs`: the provider's `Retry-After`. `cause`: the provider's
 * error, for the log.
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
