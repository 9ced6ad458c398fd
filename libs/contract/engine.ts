import { z } from 'zod';

/** Where a result was computed: by a connected AI provider, or offline, by this server's own models or rules. */
export const engineNameSchema = z.enum(['openai', 'offline']).meta({ description: 'What made this result.' });
export type EngineName = z.infer<typeof engineNameSchema>;

export const engineShape = {
  engine: engineNameSchema,
  model: z
    .string()
    .nullable()
    .meta({ description: 'The name of the model that made it; null when rules made it.' }),
};

/** What a tool asks an AI service for: a picture from a description, or a changed picture. */
export type ImageOperation = 'generate' | 'edit';

/** What a call of an AI provider is for. */
export type CallOperation = 'chat' | 'generate_image' | 'edit_image' | 'moderate';

/** `passing_error`: retryable. `final_error`: not retryable. `stopped`: this server aborted the call. */
export type CallOutcome = 'ok' | 'passing_error' | 'final_error' | 'stopped';

/** `lost`: the worker died during the call. */
export type ProviderCallStatus = CallOutcome | 'running' | 'lost';

export type ProviderRole = 'main' | 'fallback';

/**
 * The cause of a failed call:
 * - `request`: this request, or the provider's answer to it, is invalid
 * - `service`: the provider is down, busy or too slow
 * - `account`: the provider rejects our API key or model, or the account has no credit
 * - `unsupported`: the provider has no endpoint or no model for this image operation
 * - `held`: the circuit breaker rejected the call, or the call was the breaker's failed probe
 * - `server`: a pretrained model on this server failed
 */
export type FailureScope = 'request' | 'service' | 'account' | 'unsupported' | 'held' | 'server';

export interface EngineErrorOptions {
  retryable: boolean;
  retryAfterMs?: number;
  /** Default: `request`. */
  scope?: FailureScope;
  /** HTTP status of the provider, or what happened, such as `timeout` or `ECONNREFUSED`. For operators. */
  providerCode?: string;
  cause?: unknown;
}

/**
 * A failed call to an AI engine. The message is shown to the user, so it must not contain secrets. `cause` is the provider's
 * error, for the log.
 */
export class EngineError extends Error {
  /** True if the same request may succeed later (429, 5xx, lost connection). */
  readonly retryable: boolean;
  /** The provider's `Retry-After`. */
  readonly retryAfterMs?: number;
  readonly scope: FailureScope;
  readonly providerCode?: string;

  constructor(message: string, options: EngineErrorOptions) {
    super(message, { cause: options.cause });
    this.name = 'EngineError';
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
    this.scope = options.scope ?? 'request';
    this.providerCode = options.providerCode;
  }
}
