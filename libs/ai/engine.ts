/** One turn of a conversation with a text model. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** What a text model is asked. Lengths and tone are asked for in words: servers differ in what else they accept. */
export interface ChatRequest {
  messages: ChatMessage[];
}

/**
 * A connected AI provider. Every call honours `signal` down to the provider's own HTTP request and rejects with
 * an {@link EngineError}; an aborted call rejects with `signal.reason`, never ends as if it were whole.
 */
export interface AiProvider {
  readonly name: 'openai';
  /** Streams the answer's text, piece by piece, and ends only when the answer is whole. */
  streamChat(request: ChatRequest, signal: AbortSignal): AsyncIterable<string>;
}

/** What runs the tools: a connected provider, or the offline engine (`provider` is null). */
export interface Engine {
  provider: AiProvider | null;
}

export interface EngineErrorOptions {
  retryable: boolean;
  retryAfterMs?: number;
  cause?: unknown;
}

/**
 * A failed call to an AI engine. The message is for the person and holds no secret. `retryable` says whether the
 * same request may pass later (429, 5xx, a broken connection); `retryAfterMs` is the provider's own wish, if it
 * named one. `cause` says what happened in the provider's terms, for the log.
 */
export class EngineError extends Error {
  readonly retryable: boolean;
  readonly retryAfterMs?: number;

  constructor(message: string, options: EngineErrorOptions) {
    super(message, { cause: options.cause });
    this.name = 'EngineError';
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
  }
}
