import type { ImageSize } from '#libs/contract/image-sizes.js';

/** One turn of a conversation with a text model. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** What a text model is asked. Lengths and tone are asked for in words: servers differ in what else they accept. */
export interface ChatRequest {
  messages: ChatMessage[];
  /** Has the answer be JSON of this JSON Schema, where the server can see to that; `completeJson` checks it. */
  json?: { name: string; schema: Record<string, unknown> };
}

/** A picture that an image model is asked to make. */
export interface ImageRequest {
  prompt: string;
  size: ImageSize;
}

/** A picture that an image model is asked to change. */
export interface ImageEdit extends ImageRequest {
  /** PNG of exactly `size`. */
  image: Buffer;
  /** PNG of the same size as `image`: what is fully transparent in it may be changed. */
  mask?: Buffer;
  /** Asks for a picture with an alpha channel, or for one without. */
  background?: 'transparent' | 'opaque';
}

/**
 * A connected AI provider. Every call honours `signal` down to the provider's own HTTP request and rejects with
 * an {@link EngineError}; an aborted call rejects with `signal.reason`, never ends as if it were whole.
 */
export interface AiProvider {
  readonly name: 'openai';
  /** The model that answers in text. */
  readonly textModel: string;
  /** Streams the answer's text, piece by piece, and ends only when the answer is whole. */
  streamChat(request: ChatRequest, signal: AbortSignal): AsyncIterable<string>;
  /** Makes a picture. Resolves to the bytes of an image file, as the provider sent them: decode with care. */
  generateImage(request: ImageRequest, signal: AbortSignal): Promise<Buffer>;
  /** Changes a picture; otherwise as {@link generateImage}. The answer may have another size than the input. */
  editImage(request: ImageEdit, signal: AbortSignal): Promise<Buffer>;
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
