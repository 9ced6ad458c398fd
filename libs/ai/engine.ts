import type { ImageSize } from '#libs/contract/images.js';

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface TokenUsage {
  input: number;
  output: number;
}

/** A request to a text model. Servers differ in the parameters that they accept, so it has only these. */
export interface ChatRequest {
  messages: ChatMessage[];
  /** Structured output, where the server supports it. `completeJson` validates the answer. */
  json?: { name: string; schema: Record<string, unknown> };
  onUsage?: (usage: TokenUsage) => void;
}

export interface ImageRequest {
  prompt: string;
  size: ImageSize;
  /** Called with the unchecked bytes of each partial image, if the server streams them. */
  onPartial?: (image: Buffer) => void;
  onUsage?: (usage: TokenUsage) => void;
}

export interface ImageEdit extends ImageRequest {
  /** PNG of exactly `size`. */
  image: Buffer;
  /** PNG of the same size as `image`; its fully transparent area may be changed. */
  mask?: Buffer;
  /** Whether the result has an alpha channel. */
  background?: 'transparent' | 'opaque';
}

/**
 * A connected AI provider. Every call honours `signal` down to the provider's own HTTP request and rejects with
 * an {@link EngineError}; an aborted call rejects with `signal.reason`.
 */
export interface AiProvider {
  readonly name: 'openai';
  readonly textModel: string;
  readonly imageModel: string;
  /** Streams the answer's text. It ends without an error only when the answer is complete. */
  streamChat(request: ChatRequest, signal: AbortSignal): AsyncIterable<string>;
  /** Resolves to the bytes of an image file as the provider sent them, unchecked. */
  generateImage(request: ImageRequest, signal: AbortSignal): Promise<Buffer>;
  /** As {@link generateImage}. The result may have another size than the input. */
  editImage(request: ImageEdit, signal: AbortSignal): Promise<Buffer>;
}

export interface BreakerState {
  readonly provider: 'main' | 'fallback';
  readonly kind: 'text' | 'image';
  /** `open`: all calls are rejected; `half-open`: one call probes the provider. */
  readonly state: 'closed' | 'open' | 'half-open';
}

/** The engine of the tools: a connected provider, or this server itself if `provider` is null. */
export interface Engine {
  provider: AiProvider | null;
  breakers: readonly BreakerState[];
}
