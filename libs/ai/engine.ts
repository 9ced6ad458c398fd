import type { ImageSize } from '#libs/contract/image-sizes.js';

/** One turn of a conversation with a text model. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** What a provider counted of one call, in tokens. */
export interface TokenUsage {
  input: number;
  output: number;
}

/** What a text model is asked. Lengths and tone are asked for in words: servers differ in what else they accept. */
export interface ChatRequest {
  messages: ChatMessage[];
  /** Has the answer be JSON of this JSON Schema, where the server can see to that; `completeJson` checks it. */
  json?: { name: string; schema: Record<string, unknown> };
  /** Told what the answer took, where the server says so. */
  onUsage?: (usage: TokenUsage) => void;
}

/** A picture that an image model is asked to make. */
export interface ImageRequest {
  prompt: string;
  size: ImageSize;
  onUsage?: (usage: TokenUsage) => void;
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

/** Whether calls of one kind to one provider are let through, as this process knows it. */
export interface BreakerState {
  readonly provider: 'main' | 'fallback';
  readonly kind: 'text' | 'image';
  /** `open`: none is let through; `half-open`: one is, to see whether the provider is back. */
  readonly state: 'closed' | 'open' | 'half-open';
}

/** What runs the tools: a connected provider, or the offline engine (`provider` is null). */
export interface Engine {
  provider: AiProvider | null;
  /** The circuit breakers before the provider and its fallback; none for the offline engine. */
  breakers: readonly BreakerState[];
}
