import type { ImageSize } from '#libs/contract/images.js';

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface TokenUsage {
  input: number;
  output: number;
}

/** A request to a text model. Has no further parameters, because not all servers accept them. */
export interface ChatRequest {
  messages: ChatMessage[];
  /** Requests structured output. Ignored by servers that do not support it, so use `completeJson`, which validates. */
  json?: { name: string; schema: Record<string, unknown> };
  onUsage?: (usage: TokenUsage) => void;
  /** Called when the model begins to send reasoning. */
  onThinking?: () => void;
}

export interface ImageRequest {
  prompt: string;
  size: ImageSize;
  /** Called with the bytes of each partial image, if the server streams images. The bytes are not validated. */
  onPartial?: (image: Buffer) => void;
  onUsage?: (usage: TokenUsage) => void;
}

export interface ImageEdit extends ImageRequest {
  /** A PNG. Its width and height must be `size`. */
  image: Buffer;
  /** A PNG of the same size as `image`. The model edits only where the mask is fully transparent. */
  mask?: Buffer;
  /** `transparent` requests a result with an alpha channel. */
  background?: 'transparent' | 'opaque';
}

/**
 * A connected AI provider. Calls reject with an {@link EngineError}. Aborting `signal` also aborts the HTTP request to the
 * provider, and the call rejects with `signal.reason`.
 */
export interface AiProvider {
  readonly name: 'openai';
  readonly textModel: string;
  readonly imageModel: string;
  /**
   * Streams the text of the answer in chunks, without the model's reasoning. Throws if the stream ends before the answer is
   * complete.
   */
  streamChat(request: ChatRequest, signal: AbortSignal): AsyncIterable<string>;
  /** Resolves to an image file as the provider sent it. Its bytes are not validated. */
  generateImage(request: ImageRequest, signal: AbortSignal): Promise<Buffer>;
  /** Like {@link generateImage}. The result can have another size than the input. */
  editImage(request: ImageEdit, signal: AbortSignal): Promise<Buffer>;
}

export interface BreakerState {
  readonly provider: 'main' | 'fallback';
  readonly kind: 'text' | 'image';
  /** `open`: all calls are rejected. `half-open`: one call probes the provider, and the others are rejected. */
  readonly state: 'closed' | 'open' | 'half-open';
}

/** How tools compute their results: with `provider`, or offline on this server if `provider` is null. */
export interface Engine {
  provider: AiProvider | null;
  breakers: readonly BreakerState[];
}
