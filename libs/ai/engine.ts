import type { CallOperation, CallOutcome, ProviderRole } from '#libs/contract/engine.js';
import type { ImageSize } from '#libs/contract/images.js';

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface TokenUsage {
  /** All tokens of the request, with those of `cachedInput` and `imageInput`. */
  input: number;
  output: number;
  /** Tokens of the request that the provider had cached. */
  cachedInput?: number;
  /** Tokens of the request's pictures. */
  imageInput?: number;
}

/** What the provider did for one HTTP request, and so bills. */
export interface BilledResponse {
  /** Null if the provider did not count it, as when the connection ended before the end of the answer. */
  usage: TokenUsage | null;
  /** Characters of texts. */
  inputCharacters: number;
  outputCharacters: number;
  images: number;
}

/** A call that begins. */
export interface ProviderCallStart {
  id: string;
  operation: CallOperation;
  model: string;
  provider: ProviderRole;
  startedAt: Date;
}

export interface ProviderCall extends ProviderCallStart {
  outcome: CallOutcome;
  seconds: number;
  firstTokenSeconds?: number;
  /** Sum of the responses that have one. */
  usage?: TokenUsage;
  /** Several if an answer was continued, none if the provider refused or was not reached. */
  responses: BilledResponse[];
  /** The error's `providerCode`, such as `429` or `timeout`, or else its scope. */
  errorCode?: string;
}

/** Records the calls of one job. */
export interface CallListener {
  started(call: ProviderCallStart): void;
  ended(call: ProviderCall): void;
}

/** A page of the web that a model with a search cites. */
export interface WebPage {
  url: string;
  title: string | null;
}

/** A request to a text model. Has no further parameters, because not all servers accept them. */
export interface ChatRequest {
  messages: ChatMessage[];
  /** Requests structured output. Ignored by servers that do not support it, so use `completeJson`, which validates. */
  json?: { name: string; schema: Record<string, unknown> };
  onResponse?: (response: BilledResponse) => void;
  calls?: CallListener;
  /** Called with the pages that the model read, in the order of its citations `[1]`. The last call has all of them. */
  onPages?: (pages: WebPage[]) => void;
  /** Called when the model begins to send reasoning. */
  onThinking?: () => void;
}

export interface ImageRequest {
  prompt: string;
  size: ImageSize;
  /** Called with the bytes of each partial image, if the server streams images. The bytes are not validated. */
  onPartial?: (image: Buffer) => void;
  onResponse?: (response: BilledResponse) => void;
  calls?: CallListener;
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

export interface ModerationRequest {
  /** Not asked about if it is blank. */
  text: string;
  image: { bytes: Buffer; mediaType: string };
  onResponse?: (response: BilledResponse) => void;
  calls?: CallListener;
}

/** Resolves to true if the model flags the text or the picture. Rejects like the calls of {@link AiProvider}. */
export type Moderate = (request: ModerationRequest, signal: AbortSignal) => Promise<boolean>;

export interface BreakerState {
  readonly provider: ProviderRole;
  readonly kind: 'text' | 'image' | 'moderation';
  /** `open`: all calls are rejected. `half-open`: one call probes the provider, and the others are rejected. */
  readonly state: 'closed' | 'open' | 'half-open';
}

/** How tools compute their results: with `provider`, or offline on this server if `provider` is null. */
export interface Engine {
  provider: AiProvider | null;
  breakers: readonly BreakerState[];
}
