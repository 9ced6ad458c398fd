import OpenAI, { APIError } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { systemClock, type Clock } from '#libs/config/clock.js';
import type { OpenAiConfig } from '#libs/config/environment.js';
import { EngineError } from '#libs/contract/engine.js';
import { ANSWER_MAX_CHARACTERS } from '#libs/contract/markdown.js';
import type { AiProvider, ChatRequest } from './engine.js';
import {
  emptyAnswer,
  endlessAnswer,
  incompleteAnswer,
  refusedAnswer,
  toEngineError,
} from './openai-errors.js';
import { createImageCalls } from './openai-images.js';

const OPENAI_URL = 'https://api.openai.com/v1';

/**
 * Text and pictures from OpenAI, or from any server that speaks its protocol.
 *
 * Failed calls are not repeated: the job platform retries the job with backoff. The OpenAI client does not read the
 * environment.
 */
export function createOpenAiProvider(config: OpenAiConfig, clock: Clock = systemClock): AiProvider {
  const baseURL = config.baseUrl ?? OPENAI_URL;
  const client = new OpenAI({
    apiKey: config.apiKey,
    baseURL,
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    // Longer than the limits below, so that it never fires first.
    timeout: (Math.max(config.firstTokenSeconds, config.imageSeconds) + 60) * 1000,
    logLevel: 'off',
  });

  /** Whether the server accepts `response_format`: true until it refuses it. */
  let supportsSchema = true;
  /** Whether the server accepts `stream_options`: true until it refuses it. */
  let supportsUsage = true;

  /** Starts a stream that ends with the token usage, if the server supports it. */
  async function create(body: ChatCompletionCreateParamsStreaming, signal: AbortSignal) {
    if (!supportsUsage) return client.chat.completions.create(body, { signal });
    try {
      const stream_options = { include_usage: true };
      return await client.chat.completions.create({ ...body, stream_options }, { signal });
    } catch (error) {
      if (!refusesUsage(error)) throw error;
      supportsUsage = false;
      return client.chat.completions.create(body, { signal });
    }
  }

  async function startStream({ messages, json }: ChatRequest, signal: AbortSignal) {
    const plain = { model: config.textModel, messages, stream: true } as const;
    if (!json || !supportsSchema) return create(plain, signal);
    const response_format = { type: 'json_schema', json_schema: { ...json, strict: true } } as const;
    try {
      return await create({ ...plain, response_format }, signal);
    } catch (error) {
      if (!refusesFormat(error)) throw error;
      const stream = await create(plain, signal);
      supportsSchema = false;
      return stream;
    }
  }

  async function* streamChat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<string> {
    signal.throwIfAborted();
    const idle = new IdleTimeout();
    let answering = false;
    let finish: string | null = null;
    let refused = false;
    let empty = true;
    let length = 0;
    try {
      idle.restart(config.firstTokenSeconds);
      const stream = await startStream(request, AbortSignal.any([signal, idle.signal]));
      answering = true;
      for await (const chunk of stream) {
        signal.throwIfAborted();
        const { usage } = chunk;
        if (usage) request.onUsage?.({ input: usage.prompt_tokens, output: usage.completion_tokens });
        const choice = chunk.choices?.[0];
        if (!choice) continue;
        finish = choice.finish_reason ?? finish;
        refused ||= Boolean(choice.delta?.refusal);
        // PostgreSQL cannot store U+0000.
        const text = choice.delta?.content?.replaceAll('\u0000', '');
        if (text) {
          idle.stop();
          length += text.length;
          if (length > ANSWER_MAX_CHARACTERS) break;
          empty &&= text.trim() === '';
          yield text;
        }
        if (text || hasReasoning(choice.delta)) idle.restart(config.idleSeconds);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (idle.signal.aborted) throw timedOut(empty, config);
      // An error after `finish_reason` does not make the answer incomplete.
      if (!finish) throw toEngineError(error, { apiKey: config.apiKey, answering });
    } finally {
      idle.stop();
    }
    // The client's iterator ends without an error when its request is aborted.
    signal.throwIfAborted();
    if (length > ANSWER_MAX_CHARACTERS) throw endlessAnswer();
    if (refused || finish === 'content_filter') throw refusedAnswer();
    if (idle.signal.aborted && !finish) throw timedOut(empty, config);
    if (!finish) throw incompleteAnswer();
    if (empty) throw emptyAnswer();
  }

  return {
    name: 'openai',
    textModel: config.textModel,
    imageModel: config.imageModel,
    streamChat,
    ...createImageCalls(client, { ...config, baseUrl: baseURL }, clock),
  };
}

/** Whether a server that rejects unknown fields has rejected `stream_options`. */
const refusesUsage = (error: unknown): boolean =>
  refusesFormat(error) &&
  /stream_options|include_usage|extra_forbidden|unrecognized|unknown (field|parameter|argument)/i.test(
    (error as APIError).message,
  );

/**
 * Whether the request should be repeated without `response_format`: servers that do not support it answer 400 or 422 with
 * various messages.
 */
function refusesFormat(error: unknown): boolean {
  return (
    error instanceof APIError &&
    (error.status === 400 || error.status === 422) &&
    !['context_length_exceeded', 'content_filter', 'content_policy_violation'].includes(error.code ?? '')
  );
}

/** Whether a piece has reasoning, which some servers stream in separate fields. It is activity, but not text. */
function hasReasoning(delta: object | undefined): boolean {
  const { reasoning_content, reasoning } = (delta ?? {}) as {
    reasoning_content?: unknown;
    reasoning?: unknown;
  };
  return Boolean(reasoning_content ?? reasoning);
}

function timedOut(noText: boolean, { firstTokenSeconds, idleSeconds }: OpenAiConfig): EngineError {
  return new EngineError(
    noText
      ? 'The AI service did not begin to answer in time. Try again in a few minutes.'
      : 'The AI service stopped in the middle of its answer. Try again in a few minutes.',
    {
      retryable: true,
      scope: 'service',
      cause: new Error(
        noText ? `no token in ${firstTokenSeconds} s` : `no further token in ${idleSeconds} s`,
      ),
    },
  );
}

/** Aborts `signal` unless it is restarted within the given time. */
class IdleTimeout {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  restart(seconds: number): void {
    this.stop();
    this.timer = setTimeout(() => this.controller.abort(), seconds * 1000);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
